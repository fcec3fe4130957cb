// SPDX-License-Identifier: LGPL-2.1-or-later
// The lines of an advice as words, before any format quotes them.
#include "render/line.h"

#include <inttypes.h>
#include <string.h>

void xa_setting_value(struct buf *buf, enum setting_id id, uint64_t number, const char *text)
{
    char size[SIZE_TEXT_MAX];
    switch (xa_setting_table[id].kind) {
    case SETTING_KIND_SIZE:
        xa_buf_puts(buf, xa_size_text(number, size));
        break;
    case SETTING_KIND_TEXT:
        xa_buf_puts(buf, text ? text : "");
        break;
    default:
        xa_buf_printf(buf, "%" PRIu64, number);
    }
}

void xa_setting_pair(struct buf *buf, enum setting_id id, const struct setting *setting)
{
    xa_buf_puts(buf, xa_setting_table[id].key);
    if (xa_setting_table[id].kind == SETTING_KIND_FLAG)
        return;
    if (*xa_setting_table[id].key)
        xa_buf_puts(buf, "=");
    xa_setting_value(buf, id, setting->number, setting->text);
}

static void push(struct line *line, enum word word, const char *text)
{
    if (!text || line->count == LINE_MAX_TOKENS) {
        line->failed = true;
        return;
    }
    line->token[line->count++] = (struct token){word, text};
}

static void push_buf(struct line *line, struct arena *arena, struct buf *buf)
{
    push(line, WORD_TEXT, buf->failed ? NULL : xa_arena_strdup(arena, buf->text));
    buf->length = 0;
}

static void push_device(struct line *line, const struct advice_item *item)
{
    push(line, WORD_DEVICE, item->device ? item->device : "DEVICE");
}

static bool in_line(const struct advice_item *item, unsigned at, enum setting_where where)
{
    return xa_setting_table[at].where == where && item->setting[at].emitted;
}

void xa_line_mkfs(const struct advice_item *item, struct arena *arena, struct line *line)
{
    struct buf pair = {0};
    const char *option = "";
    *line = (struct line){0};
    push(line, WORD_TEXT, "mkfs.xfs");
    for (unsigned at = 0; at < SETTING_ROWS; at++) {
        const struct setting_row *row = &xa_setting_table[at];
        if (!in_line(item, at, SETTING_WHERE_MKFS))
            continue;
        bool same = strcmp(row->option, option) == 0;
        if (!same && pair.length)
            push_buf(line, arena, &pair);
        if (!same)
            push(line, WORD_TEXT, row->option);
        option = row->option;
        if (row->kind == SETTING_KIND_SWITCH)
            continue;
        if (same)
            xa_buf_puts(&pair, ",");
        xa_setting_pair(&pair, at, &item->setting[at]);
    }
    if (pair.length || pair.failed)
        push_buf(line, arena, &pair);
    xa_buf_free(&pair);
    push_device(line, item);
}

void xa_line_mount_options(const struct advice_item *item, struct buf *buf)
{
    for (unsigned at = 0; at < SETTING_ROWS; at++) {
        if (!in_line(item, at, SETTING_WHERE_MOUNT))
            continue;
        if (buf->length)
            xa_buf_puts(buf, ",");
        xa_setting_pair(buf, at, &item->setting[at]);
    }
}

void xa_line_mount(const struct advice_item *item, struct arena *arena, struct line *line)
{
    struct buf options = {0};
    *line = (struct line){0};
    push(line, WORD_TEXT, "mount");
    xa_line_mount_options(item, &options);
    if (options.length) {
        push(line, WORD_TEXT, "-o");
        push_buf(line, arena, &options);
    }
    line->failed |= options.failed;
    xa_buf_free(&options);
    push_device(line, item);
    push(line, WORD_MOUNTPOINT, item->mountpoint ? item->mountpoint : "MOUNTPOINT");
}

/* fstab(5): blanks and backslashes are octal escapes. */
static void fstab_field(struct buf *buf, const char *text)
{
    for (; *text; text++) {
        if (strchr(" \t\n\r\\#", *text))
            xa_buf_printf(buf, "\\%03o", (unsigned)(unsigned char)*text);
        else
            xa_buf_add(buf, text, 1);
    }
}

void xa_line_fstab(const struct advice_item *item, struct buf *buf)
{
    const struct setting *label = &item->setting[SETTING_MKFS_LABEL];
    const struct setting *uuid = &item->setting[SETTING_MKFS_META_UUID];
    const struct setting *log = &item->setting[SETTING_MOUNT_LOGDEV];
    struct buf options = {0};
    if (uuid->emitted)
        xa_buf_printf(buf, "UUID=%s", uuid->text);
    else if (label->emitted)
        xa_buf_puts(buf, "LABEL=");
    if (!uuid->emitted)
        fstab_field(buf, label->emitted ? label->text
                         : item->by_id ? item->by_id : item->device ? item->device : "DEVICE");
    xa_buf_puts(buf, " ");
    fstab_field(buf, item->mountpoint ? item->mountpoint : "MOUNTPOINT");
    xa_buf_puts(buf, " xfs ");
    xa_line_mount_options(item, &options);
    if (log->emitted)
        xa_buf_printf(&options, ",x-systemd.requires=%s", log->text);
    fstab_field(buf, options.length ? options.text : "defaults");
    xa_buf_puts(buf, " 0 0");
    buf->failed |= options.failed;
    xa_buf_free(&options);
}

/* A value that udev would read as more than a text: quotes, escapes, patterns. */
static bool plain_match(const char *text)
{
    return strpbrk(text, "\"\\*?[]|\n") == NULL;
}

void xa_line_udev(const struct advice_item *item, struct buf *buf)
{
    for (const struct queue_line *line = item->queue; line; line = line->next) {
        if (!line->match || !plain_match(line->match))
            continue;
        xa_buf_printf(buf, "ACTION==\"add|change\", SUBSYSTEM==\"block\", "
                           "ENV{DEVTYPE}==\"disk\", ENV{%s}==\"%s\", ATTR{%s}=\"%" PRIu64 "\"\n",
                      line->match_key, line->match, line->attribute, line->value);
    }
}
