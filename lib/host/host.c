// SPDX-License-Identifier: LGPL-2.1-or-later
// The face of all doors: checks questions and answers, and holds targets given from outside.
// Touches no machine itself.
#include "host/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "host/door.h"

enum { NAME_BYTES = 4096 };

const char *const xa_question_names[QUESTION_RECORDED] = {
    [QUESTION_READ] = "read",     [QUESTION_LINK] = "link", [QUESTION_LIST] = "list",
    [QUESTION_DEVICE] = "device", [QUESTION_UDEV] = "udev", [QUESTION_SIGNATURE] = "signature",
};

const char *const xa_target_names[TARGET_KINDS] = {
    [TARGET_KERNEL] = "kernel",
    [TARGET_CPUS] = "cpus",
    [TARGET_XFSPROGS] = "xfsprogs",
};

void xa_buf_clear(struct buf *out)
{
    out->length = 0;
    out->failed = false;
    if (out->text)
        out->text[0] = '\0';
}

int xa_devno_parse(const char *text, unsigned *major, unsigned *minor)
{
    const char *colon = strchr(text, ':');
    uint64_t number[2];
    if (!colon || xa_number_parse(text, (size_t)(colon - text), &number[0]) ||
        xa_number_parse(colon + 1, strlen(colon + 1), &number[1]))
        return -EINVAL;
    if (number[0] > UINT32_MAX || number[1] > UINT32_MAX || strlen(text) > 21)
        return -EINVAL;
    *major = (unsigned)number[0];
    *minor = (unsigned)number[1];
    return 0;
}

static int check_question(const struct question *question)
{
    const char *name = question->name;
    unsigned number;
    if (!name || !name[0] || strlen(name) >= NAME_BYTES || !xa_utf8_valid(name))
        return -EINVAL;
    switch (question->kind) {
    case QUESTION_READ:
    case QUESTION_LINK:
    case QUESTION_LIST:
        return name[0] == '/' ? -EINVAL : 0;
    case QUESTION_UDEV:
    case QUESTION_SIGNATURE:
        return xa_devno_parse(name, &number, &number);
    default:
        return 0;
    }
}

static int check_answer(const struct question *question, struct buf *out)
{
    unsigned number;
    if (out->failed)
        return -ENOMEM;
    if (!out->text)
        xa_buf_add(out, "", 0);
    if (out->failed)
        return -ENOMEM;
    if (question->kind == QUESTION_DEVICE && xa_devno_parse(out->text, &number, &number))
        return -EBADMSG;
    return 0;
}

int xa_host_ask(struct host *host, const struct question *question, struct buf *out)
{
    xa_buf_clear(out);
    int code = check_question(question);
    if (!code)
        code = host->door->ask(host, question, out);
    if (!code)
        code = check_answer(question, out);
    if (code)
        xa_buf_clear(out);
    return code;
}

static int ask(struct host *host, enum question_kind kind, const char *name, size_t limit_bytes,
               struct buf *out)
{
    const struct question question = {.kind = kind, .name = name, .limit_bytes = limit_bytes};
    return xa_host_ask(host, &question, out);
}

int xa_host_read(struct host *host, const char *path, struct buf *out)
{
    return ask(host, QUESTION_READ, path, HOST_READ_BYTES, out);
}

int xa_host_read_large(struct host *host, const char *path, struct buf *out)
{
    return ask(host, QUESTION_READ, path, HOST_READ_LARGE_BYTES, out);
}

int xa_host_link(struct host *host, const char *path, struct buf *out)
{
    return ask(host, QUESTION_LINK, path, HOST_READ_BYTES, out);
}

int xa_host_list(struct host *host, const char *path, struct buf *out)
{
    return ask(host, QUESTION_LIST, path, HOST_READ_LARGE_BYTES, out);
}

int xa_host_device(struct host *host, const char *name, struct buf *out)
{
    return ask(host, QUESTION_DEVICE, name, HOST_READ_BYTES, out);
}

int xa_host_udev(struct host *host, const char *devno, struct buf *out)
{
    return ask(host, QUESTION_UDEV, devno, HOST_READ_LARGE_BYTES, out);
}

int xa_host_signature(struct host *host, const char *devno, const char *node, struct buf *out)
{
    const struct question question = {.kind = QUESTION_SIGNATURE, .name = devno, .node = node,
                                      .limit_bytes = HOST_READ_BYTES};
    return xa_host_ask(host, &question, out);
}

int xa_host_target(struct host *host, const char *what, struct buf *out)
{
    int which = XA_LOOKUP(xa_target_names, what, strlen(what));
    xa_buf_clear(out);
    if (which < 0)
        return -EINVAL;
    if (host->target[which]) {
        xa_buf_puts(out, host->target[which]);
        return out->failed ? -ENOMEM : 0;
    }
    int code = ask(host, QUESTION_TARGET, what, HOST_READ_BYTES, out);
    return code && code != -ENOMEM ? -ENOENT : code;
}

int xa_host_set_target(struct host *host, const char *what, const char *value)
{
    int which = XA_LOOKUP(xa_target_names, what, strlen(what));
    if (which < 0 || !value[0] || strlen(value) >= NAME_BYTES || !xa_utf8_valid(value))
        return -EINVAL;
    char *copy = strdup(value);
    if (!copy)
        return -ENOMEM;
    free(host->target[which]);
    host->target[which] = copy;
    return 0;
}

void xa_host_free(struct host *host)
{
    if (!host)
        return;
    for (unsigned which = 0; which < TARGET_KINDS; which++)
        free(host->target[which]);
    host->door->close(host);
}

int xa_door_raw(struct host *host, const char *path, struct buf *out)
{
    const struct question question = {.kind = QUESTION_READ, .name = path,
                                      .limit_bytes = HOST_READ_LARGE_BYTES, .raw = true};
    return xa_host_ask(host, &question, out);
}

int xa_sysfs_devno(struct host *host, const char *name, struct buf *out)
{
    static const char *const folders[] = {"sys/class/block/", "sys/block/"};
    int code = -ENOENT;
    for (unsigned at = 0; at < sizeof(folders) / sizeof(folders[0]) && code == -ENOENT; at++) {
        struct buf path = {0};
        xa_buf_puts(&path, folders[at]);
        size_t start = path.length;
        xa_buf_puts(&path, name);
        for (; path.text && start < path.length; start++) {
            if (path.text[start] == '/')
                path.text[start] = '!';
        }
        xa_buf_puts(&path, "/dev");
        code = path.failed ? -ENOMEM : xa_host_read(host, path.text, out);
        xa_buf_free(&path);
    }
    return code;
}
