// SPDX-License-Identifier: LGPL-2.1-or-later
// The door to a folder that holds another machine's sys/, proc/, run/udev/ and dev/. No path
// leads out of the folder; nothing but regular files is read.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error.h"
#include "host/door.h"
#include "host/file.h"
#include "host/signature.h"
#include "host/udev.h"
#include "host/walk.h"

enum { MOST_CPUS = 1 << 20 };

struct sysroot {
    struct host host; /* first */
    int root;
};

static int answer_read(struct sysroot *sysroot, const struct question *question,
                       struct buf *out)
{
    /* Looked at before it is opened: to open a device can do harm. */
    int fd = xa_walk_open(sysroot->root, question->name, O_PATH);
    int code = fd < 0 ? fd : xa_file_regular(fd);
    if (fd >= 0)
        close(fd);
    if (code)
        return code;
    fd = xa_walk_open(sysroot->root, question->name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    code = fd < 0 ? fd : xa_file_regular(fd);
    if (!code)
        code = xa_file_text(fd, question->limit_bytes, question->raw, false, out);
    if (fd >= 0)
        close(fd);
    return code;
}

static int answer_link(struct sysroot *sysroot, const struct question *question,
                       struct buf *out)
{
    int fd = xa_walk_open(sysroot->root, question->name, O_PATH | O_NOFOLLOW);
    if (fd < 0)
        return fd;
    int code = xa_file_link(fd, "", out);
    close(fd);
    return code;
}

static int answer_list(struct sysroot *sysroot, const struct question *question,
                       struct buf *out)
{
    int fd = xa_walk_open(sysroot->root, question->name,
                          O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? fd : xa_file_names(fd, question->limit_bytes, out);
}

/* The number of the node at a path without links. An empty file may stand for a node. */
static int node_number(const struct sysroot *sysroot, const char *path, struct buf *out)
{
    struct stat st;
    if (fstatat(sysroot->root, path, &st, AT_SYMLINK_NOFOLLOW))
        return -errno;
    if (S_ISREG(st.st_mode) && strncmp(path, "dev/", 4) == 0)
        return -ENOENT;
    if (!S_ISBLK(st.st_mode))
        return -ENOTBLK;
    xa_buf_printf(out, "%u:%u", major(st.st_rdev), minor(st.st_rdev));
    return 0;
}

/* By the names that the kernel and then udev have for what stands below dev/. */
static int known_number(struct sysroot *sysroot, const char *path, struct buf *out)
{
    if (strncmp(path, "dev/", 4) != 0 || !path[4])
        return -ENOENT;
    int code = xa_sysfs_devno(&sysroot->host, path + 4, out);
    if (code == -ENOENT || code == -ENOTDIR)
        code = xa_udev_find_link(&sysroot->host, path + 4, out);
    return code;
}

/* Where nothing knows a number, a file that is there is something else than a device. */
static int path_number(struct sysroot *sysroot, const char *path, struct buf *out)
{
    struct buf plain = {0};
    struct stat st;
    int code = xa_walk_resolve(sysroot->root, path, true, &plain);
    bool resolved = code == 0;
    if (resolved)
        code = plain.length ? node_number(sysroot, plain.text, out) : -ENOTBLK;
    if (code == -ENOENT && resolved)
        code = known_number(sysroot, plain.text, out);
    if (code == -ENOENT && !(resolved && strcmp(plain.text, path) == 0))
        code = known_number(sysroot, path, out);
    if (code == -ENOENT && resolved &&
        fstatat(sysroot->root, plain.text, &st, AT_SYMLINK_NOFOLLOW) == 0)
        code = -ENOTBLK;
    xa_buf_free(&plain);
    return code;
}

static int answer_device(struct sysroot *sysroot, const struct question *question,
                         struct buf *out)
{
    struct buf path = {0};
    const char *name = question->name;
    if (name[0] == '/')
        name += strspn(name, "/");
    else
        xa_buf_puts(&path, "dev/");
    xa_buf_puts(&path, name);
    int code = path.failed ? -ENOMEM : path_number(sysroot, path.text, out);
    xa_buf_free(&path);
    return code;
}

static int answer_udev(struct sysroot *sysroot, const struct question *question,
                       struct buf *out)
{
    struct properties set = {0};
    int code = xa_udev_database(&sysroot->host, question->name, &set, NULL);
    if (!code)
        code = xa_properties_write(&set, out);
    xa_properties_free(&set);
    return code;
}

static int answer_signature(struct sysroot *sysroot, const struct question *question,
                            struct buf *out)
{
    return xa_signature_database(&sysroot->host, question->name, out);
}

/* Adds up one range of a list of CPUs, "0-3" or "6". */
static int add_range(const char *range, size_t length, uint64_t *cpus)
{
    const char *dash = memchr(range, '-', length);
    size_t first_length = dash ? (size_t)(dash - range) : length;
    uint64_t first, last;
    if (xa_number_parse(range, first_length, &first))
        return -EBADMSG;
    last = first;
    if (dash && xa_number_parse(dash + 1, length - first_length - 1, &last))
        return -EBADMSG;
    if (last < first || last > MOST_CPUS)
        return -EBADMSG;
    *cpus += last - first + 1;
    return *cpus > MOST_CPUS ? -EBADMSG : 0;
}

static int count_cpus(const char *list, struct buf *out)
{
    uint64_t cpus = 0;
    for (;;) {
        size_t length = strcspn(list, ",");
        int code = add_range(list, length, &cpus);
        if (code)
            return code;
        if (!list[length])
            break;
        list += length + 1;
    }
    xa_buf_printf(out, "%u", (unsigned)cpus);
    return 0;
}

static int answer_target(struct sysroot *sysroot, const struct question *question,
                         struct buf *out)
{
    if (strcmp(question->name, xa_target_names[TARGET_KERNEL]) == 0) {
        int code = xa_host_read(&sysroot->host, "proc/sys/kernel/osrelease", out);
        return !code && !out->length ? -ENOENT : code;
    }
    if (strcmp(question->name, xa_target_names[TARGET_CPUS]) != 0)
        return -ENOENT;
    struct buf list = {0};
    int code = xa_host_read(&sysroot->host, "sys/devices/system/cpu/online", &list);
    if (!code)
        code = count_cpus(list.text, out);
    xa_buf_free(&list);
    return code;
}

static int sysroot_ask(struct host *host, const struct question *question, struct buf *out)
{
    static int (*const answers[QUESTION_KINDS])(struct sysroot *, const struct question *,
                                                struct buf *) = {
        [QUESTION_READ] = answer_read,     [QUESTION_LINK] = answer_link,
        [QUESTION_LIST] = answer_list,     [QUESTION_DEVICE] = answer_device,
        [QUESTION_UDEV] = answer_udev,     [QUESTION_SIGNATURE] = answer_signature,
        [QUESTION_TARGET] = answer_target,
    };
    return answers[question->kind]((struct sysroot *)host, question, out);
}

static void sysroot_close(struct host *host)
{
    close(((struct sysroot *)host)->root);
    free(host);
}

static const struct door sysroot_door = {sysroot_ask, sysroot_close};

/* Opens the folder if there is anything in its sys/. */
static int open_root(const char *folder, struct xfsa_error *err)
{
    struct buf names = {0};
    int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    if (root < 0)
        return xa_fail(err, -errno, folder, "cannot be opened: %s", strerror(errno));
    int fd = xa_walk_open(root, "sys", O_RDONLY | O_DIRECTORY);
    int code = fd < 0 ? fd : xa_file_names(fd, HOST_READ_LARGE_BYTES, &names);
    if (!code && !names.length)
        code = -ENOENT;
    xa_buf_free(&names);
    if (!code)
        return root;
    close(root);
    if (code == -ENOENT || code == -ENOTDIR)
        return xa_fail(err, code, folder, "no sys/ folder in it, or an empty one");
    return xa_fail(err, code, folder, "its sys/ cannot be read: %s", strerror(-code));
}

int xa_host_sysroot(const char *folder, struct host **out, struct xfsa_error *err)
{
    struct sysroot *sysroot = calloc(1, sizeof(*sysroot));
    if (!sysroot)
        return xa_fail_memory(err, folder);
    sysroot->host.door = &sysroot_door;
    sysroot->root = open_root(folder, err);
    if (sysroot->root < 0) {
        int code = sysroot->root;
        free(sysroot);
        return code;
    }
    *out = &sysroot->host;
    return 0;
}
