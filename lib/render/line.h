/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lines of an advice as words, before any format quotes them. */
#pragma once

#include "advice/advice.h"

/* What a word stands for. */
enum word { WORD_TEXT, WORD_DEVICE, WORD_MOUNTPOINT, WORD_ROWS };

struct token {
    enum word word;
    const char *text; /* the word, DEVICE or MOUNTPOINT where it is not known */
};

enum { LINE_MAX_TOKENS = 32 };

struct line {
    struct token token[LINE_MAX_TOKENS];
    unsigned count;
    bool failed; /* out of memory */
};

/* The mkfs.xfs line; texts live in arena. */
void xa_line_mkfs(const struct advice_item *item, struct arena *arena, struct line *line);
/* The mount line. */
void xa_line_mount(const struct advice_item *item, struct arena *arena, struct line *line);
/* The options of the mount line, joined with commas; empty: none. */
void xa_line_mount_options(const struct advice_item *item, struct buf *buf);
/* The line of fstab. */
void xa_line_fstab(const struct advice_item *item, struct buf *buf);

/* udev rules that set the queue's limits again whenever the devices appear; empty: none. */
void xa_line_udev(const struct advice_item *item, struct buf *buf);

/* A setting's value as lines spell it. */
void xa_setting_value(struct buf *buf, enum setting_id id, uint64_t number, const char *text);
/* "su=128k", or "noalign". */
void xa_setting_pair(struct buf *buf, enum setting_id id, const struct setting *setting);
