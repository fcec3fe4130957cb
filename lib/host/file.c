// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads what a descriptor stands for. Never writes, knows nothing of doors.
#include "host/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 8192, LINK_BYTES = 4096 };

static int read_chunk(int fd, char chunk[CHUNK_BYTES], size_t *got)
{
    ssize_t count;
    do
        count = read(fd, chunk, CHUNK_BYTES);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return -errno;
    *got = (size_t)count;
    return memchr(chunk, '\0', *got) ? -EILSEQ : 0;
}

int xa_file_text(int fd, size_t limit_bytes, bool raw, bool one_read, struct buf *out)
{
    char chunk[CHUNK_BYTES];
    size_t got = 0, total = 0;
    do {
        int code = read_chunk(fd, chunk, &got);
        if (code)
            return code;
        total += got;
        if (total > limit_bytes)
            return -EFBIG;
        xa_buf_add(out, chunk, got);
        if (out->failed)
            return -ENOMEM;
    } while (got && !(one_read && got < CHUNK_BYTES));
    if (!raw && total && out->text[out->length - 1] == '\n')
        out->text[--out->length] = '\0';
    return 0;
}

int xa_file_regular(int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return -errno;
    if (S_ISREG(st.st_mode))
        return 0;
    return S_ISDIR(st.st_mode) ? -EISDIR : -ENXIO;
}

static int collect_names(DIR *folder, size_t limit_bytes, struct buf *names)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry)
            return -errno;
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strchr(name, '\n'))
            continue;
        if (names->length)
            xa_buf_add(names, "\n", 1);
        xa_buf_puts(names, name);
        if (names->failed)
            return -ENOMEM;
        if (names->length > limit_bytes)
            return -EFBIG;
    }
}

int xa_file_names(int fd, size_t limit_bytes, struct buf *out)
{
    DIR *folder = fdopendir(fd);
    if (!folder) {
        int code = -errno;
        close(fd);
        return code;
    }
    struct buf names = {0};
    int code = collect_names(folder, limit_bytes, &names);
    closedir(folder);
    if (!code && names.length)
        code = xa_words_sort(names.text, '\n', out);
    xa_buf_free(&names);
    return code;
}

int xa_file_link(int fd, const char *path, struct buf *out)
{
    char target[LINK_BYTES];
    ssize_t length = readlinkat(fd, path, target, sizeof(target));
    if (length < 0)
        return errno == ENOENT && !path[0] ? -EINVAL : -errno;
    if ((size_t)length == sizeof(target))
        return -ENAMETOOLONG;
    xa_buf_add(out, target, (size_t)length);
    return out->failed ? -ENOMEM : 0;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Cuts the text into its words; returns how many there are. */
static size_t cut_words(char *text, char separator, char **words)
{
    size_t count = 0;
    while (*text) {
        char *end = strchrnul(text, separator);
        char *next = *end ? end + 1 : end;
        if (end > text)
            words[count++] = text;
        *end = '\0';
        text = next;
    }
    return count;
}

int xa_words_sort(const char *text, char separator, struct buf *out)
{
    size_t most = 1;
    for (const char *at = text; *at; at++)
        most += *at == separator;
    char **words = calloc(most, sizeof(*words));
    char *copy = strdup(text);
    if (words && copy) {
        size_t count = cut_words(copy, separator, words);
        qsort(words, count, sizeof(*words), compare_words);
        for (size_t at = 0; at < count; at++) {
            if (at && strcmp(words[at], words[at - 1]) == 0)
                continue;
            if (at)
                xa_buf_add(out, &separator, 1);
            xa_buf_puts(out, words[at]);
        }
    }
    bool failed = !words || !copy || out->failed;
    free(copy);
    free(words);
    return failed ? -ENOMEM : 0;
}
