/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a door has to do, for the files of lib/host alone. */
#pragma once

#include "host/host.h"

enum question_kind {
    QUESTION_READ,
    QUESTION_LINK,
    QUESTION_LIST,
    QUESTION_DEVICE,
    QUESTION_UDEV,
    QUESTION_SIGNATURE,
    QUESTION_RECORDED, /* those above stand in a capture by their name */
    QUESTION_TARGET = QUESTION_RECORDED,
    QUESTION_KINDS
};

enum target_kind { TARGET_KERNEL, TARGET_CPUS, TARGET_XFSPROGS, TARGET_KINDS };

struct question {
    enum question_kind kind;
    const char *name; /* path, device, devno or target */
    const char *node; /* signature: where it can be opened, or NULL */
    size_t limit_bytes;
    bool raw; /* read: the newline at the end stays */
};

struct door {
    /* Fills out, which is empty. Returns 0 or a negative errno. */
    int (*ask)(struct host *host, const struct question *question, struct buf *out);
    /* Frees the host. */
    void (*close)(struct host *host);
};

struct host {
    const struct door *door;
    char *target[TARGET_KINDS]; /* given from outside, or NULL */
};

/* How a capture calls the kinds of questions and the targets. */
extern const char *const xa_question_names[QUESTION_RECORDED];
extern const char *const xa_target_names[TARGET_KINDS];

/* Checks the question, asks the door and checks the answer. */
int xa_host_ask(struct host *host, const struct question *question, struct buf *out);

/* Empties out; what it has of memory is kept. */
void xa_buf_clear(struct buf *out);

/* The answer to a question as it stands in the file, for the doors' own use. */
int xa_door_raw(struct host *host, const char *path, struct buf *out);

/* Reads "9:0". Returns 0 or -EINVAL. */
int xa_devno_parse(const char *text, unsigned *major, unsigned *minor);

/* The number of a block device by its name in sysfs; slashes may stand in it. */
int xa_sysfs_devno(struct host *host, const char *name, struct buf *out);
