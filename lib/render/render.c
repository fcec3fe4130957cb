// SPDX-License-Identifier: LGPL-2.1-or-later
// The table of output formats, and what a program reads of an advice without any format.
#include "render/render.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/lookup.h"

#ifndef XFSA_VERSION
#error "the build gives the version"
#endif

static const struct {
    const char *name;
    void (*write)(const struct xfsa_advice *advice, unsigned flags, struct buf *buf);
} formats[] = {
    {"shell", xa_render_shell}, {"json", xa_render_json},   {"fstab", xa_render_fstab},
    {"udev", xa_render_udev},   {"table", xa_render_table},
};

const char *xfsa_version(void)
{
    return XFSA_VERSION;
}

int xfsa_advice_render(const struct xfsa_advice *advice, const char *format, unsigned flags,
                       char **out, struct xfsa_error *err)
{
    int which = XA_LOOKUP(formats, format, strlen(format));
    struct buf buf = {0};
    if (which < 0)
        return xa_fail(err, -ENOENT, "format",
                       "\"%.40s\" is none of shell, json, fstab, udev, table", format);
    if (flags & ~(unsigned)XFSA_RENDER_COLOUR)
        return xa_fail(err, -EINVAL, "format", "unknown flags 0x%x", flags);
    formats[which].write(advice, flags, &buf);
    char *text = xa_buf_take(&buf);
    if (!text)
        return xa_fail_memory(err, "format");
    *out = text;
    return 0;
}

int xfsa_advice_to_json(const struct xfsa_advice *advice, char **out, struct xfsa_error *err)
{
    return xfsa_advice_render(advice, "json", 0, out, err);
}

size_t xfsa_advice_count(const struct xfsa_advice *advice)
{
    return advice->count;
}

static int item_status(const struct advice_item *item, int strict)
{
    int status = 0;
    for (size_t at = 0; at < item->findings.count; at++) {
        const struct finding_row *row = &xa_finding_table[item->findings.items[at].id];
        int one = row->blocks ? row->status : strict && row->severity != SEVERITY_NOTE;
        if (one > status)
            status = one;
    }
    return status;
}

int xfsa_advice_status(const struct xfsa_advice *advice, int strict)
{
    int status = 0;
    for (size_t at = 0; at < advice->count; at++) {
        int one = item_status(&advice->items[at], strict);
        if (one > status)
            status = one;
    }
    return status;
}

static int setting_figure(const struct advice_item *item, enum setting_id id, uint64_t *value)
{
    const struct setting *setting = &item->setting[id];
    if (!setting->has_value)
        return -ENOENT;
    *value = setting->number;
    return 0;
}

/* A figure that 0 means "none" or "not known" for. */
static int nonzero(uint64_t number, uint64_t *value)
{
    if (!number)
        return -ENOENT;
    *value = number;
    return 0;
}

int xfsa_advice_figure(const struct xfsa_advice *advice, size_t index, enum xfsa_figure figure,
                       uint64_t *value)
{
    if (index >= advice->count)
        return -EINVAL;
    const struct advice_item *item = &advice->items[index];
    const struct mkfs_outcome *out = &item->outcome;
    bool predicted = item->predicted;
    switch (figure) {
    case XFSA_SIZE:
        return nonzero(item->geometry.size_bytes, value);
    case XFSA_STRIPE_UNIT:
        return nonzero(item->geometry.stripe_unit_bytes, value);
    case XFSA_DATA_DISKS:
        return nonzero(item->geometry.data_disks, value);
    case XFSA_STRIPE_WIDTH:
        return nonzero(item->geometry.stripe_width_bytes, value);
    case XFSA_RECOMMENDED_SU:
        return setting_figure(item, SETTING_MKFS_DATA_SU, value);
    case XFSA_RECOMMENDED_SW:
        return setting_figure(item, SETTING_MKFS_DATA_SW, value);
    case XFSA_LOG_STRIPE_UNIT:
        return nonzero(predicted ? out->log_stripe_unit_bytes : 0, value);
    case XFSA_MAX_SECTORS_KIB:
        return setting_figure(item, SETTING_QUEUE_MAX_SECTORS_KB, value);
    case XFSA_AG_COUNT:
        return nonzero(predicted ? out->ag_count : 0, value);
    case XFSA_AG_SIZE_BLOCKS:
        return nonzero(predicted ? out->ag_blocks : 0, value);
    case XFSA_BLOCKS:
        return nonzero(predicted ? out->blocks : 0, value);
    case XFSA_BLOCK_SIZE:
        return nonzero(predicted ? out->block_bytes : 0, value);
    case XFSA_LOG_BLOCKS:
        return nonzero(predicted ? out->log_blocks : 0, value);
    }
    return -EINVAL;
}

const char *const *xfsa_advice_mkfs(struct xfsa_advice *advice, size_t index)
{
    if (index >= advice->count || advice->items[index].blocked)
        return NULL;
    struct advice_item *item = &advice->items[index];
    if (item->argv)
        return item->argv;
    struct line line;
    xa_line_mkfs(item, &advice->arena, &line);
    const char **argv = xa_arena_alloc(&advice->arena, (line.count + 1) * sizeof(*argv));
    if (line.failed || !argv)
        return NULL;
    for (unsigned at = 0; at < line.count; at++)
        argv[at] = line.token[at].text;
    item->argv = argv;
    return argv;
}

int xfsa_advice_finding(struct xfsa_advice *advice, size_t index, size_t which,
                        struct xfsa_finding *finding, size_t size)
{
    static const char *const severities[] = {"note", "warning", "error"};
    struct buf text = {0};
    if (index >= advice->count || which >= advice->items[index].findings.count)
        return -ENOENT;
    const struct finding *found = &advice->items[index].findings.items[which];
    xa_finding_text(&text, found);
    struct xfsa_finding full = {
        .id = xa_finding_table[found->id].id,
        .severity = severities[xa_finding_table[found->id].severity],
        .text = text.failed ? NULL : xa_arena_strdup(&advice->arena, text.text),
    };
    xa_buf_free(&text);
    if (!full.text)
        return -ENOMEM;
    memcpy(finding, &full, size < sizeof(full) ? size : sizeof(full));
    return 0;
}
