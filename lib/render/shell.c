// SPDX-License-Identifier: LGPL-2.1-or-later
// A format: a shell script that runs as it stands. What was found, assumed and why stands in
// comments of 80 columns; what must not run stands commented out.
#include <inttypes.h>
#include <string.h>

#include "render/render.h"

enum { COLUMNS = 80 };
enum paint { PAINT_PLAIN, PAINT_COMMENT, PAINT_WARNING, PAINT_ERROR, PAINT_COMMAND };

struct script {
    struct buf *buf;
    struct arena *arena;
    bool colour;
};

static void paint(struct script *s, enum paint paint)
{
    static const char *const codes[] = {"\033[0m", "\033[2m", "\033[33m", "\033[31m",
                                        "\033[1m"};
    if (s->colour)
        xa_buf_puts(s->buf, codes[paint]);
}

/* Columns that a byte adds: those that continue a UTF-8 character add none. */
static unsigned columns_of(const char *text, size_t length)
{
    unsigned columns = 0;
    for (size_t at = 0; at < length; at++)
        columns += ((unsigned char)text[at] & 0xc0) != 0x80;
    return columns;
}

static void add_printable(struct buf *buf, const char *text, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        unsigned char byte = (unsigned char)text[at];
        xa_buf_add(buf, byte < 0x20 || byte == 0x7f ? "?" : &text[at], 1);
    }
}

/* A comment wrapped at blanks; further lines are indented by two. */
static void comment(struct script *s, enum paint how, const char *text)
{
    paint(s, how);
    xa_buf_puts(s->buf, "#");
    unsigned column = 1;
    while (*text) {
        size_t length = strcspn(text, " ");
        unsigned columns = columns_of(text, length);
        if (column > 3 && column + 1 + columns > COLUMNS) {
            xa_buf_puts(s->buf, "\n#  ");
            column = 3;
        }
        xa_buf_puts(s->buf, " ");
        add_printable(s->buf, text, length);
        column += 1 + columns;
        text += length;
        text += *text == ' ';
    }
    paint(s, PAINT_PLAIN);
    xa_buf_puts(s->buf, "\n");
}

static void comment_buf(struct script *s, enum paint how, struct buf *text)
{
    s->buf->failed |= text->failed;
    if (text->text)
        comment(s, how, text->text);
    xa_buf_free(text);
}

/* One word for the shell, whatever bytes it has. */
static void quote(struct buf *buf, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (*text && strspn(text, plain) == strlen(text)) {
        xa_buf_puts(buf, text);
        return;
    }
    xa_buf_puts(buf, "'");
    for (; *text; text++) {
        if (*text == '\'')
            xa_buf_puts(buf, "'\\''");
        else
            xa_buf_add(buf, text, 1);
    }
    xa_buf_puts(buf, "'");
}

static void command(struct script *s, const struct line *line, bool blocked)
{
    static const char *const variables[WORD_ROWS] = {"", "\"$DEV\"", "\"$MNT\""};
    s->buf->failed |= line->failed;
    paint(s, blocked ? PAINT_ERROR : PAINT_COMMAND);
    if (blocked)
        xa_buf_puts(s->buf, "# ");
    for (unsigned at = 0; at < line->count; at++) {
        if (at)
            xa_buf_puts(s->buf, " ");
        if (line->token[at].word != WORD_TEXT && !blocked)
            xa_buf_puts(s->buf, variables[line->token[at].word]);
        else if (blocked && strpbrk(line->token[at].text, "\r\n"))
            add_printable(s->buf, line->token[at].text, strlen(line->token[at].text));
        else
            quote(s->buf, line->token[at].text);
    }
    paint(s, PAINT_PLAIN);
    xa_buf_puts(s->buf, "\n");
}

static const char *size_word(uint64_t bytes, char out[SIZE_TEXT_MAX])
{
    return xa_size_text(bytes, out);
}

static void write_storage(struct script *s, const struct advice_item *item)
{
    const struct geometry *g = &item->geometry;
    char unit[SIZE_TEXT_MAX], width[SIZE_TEXT_MAX];
    struct buf text = {0};
    xa_buf_printf(&text, "storage: %s%s%s", item->name ? item->name : "", item->name ? ": " : "",
                  g->level_known ? xa_level_table[g->shape.level].id
                                                       : "level not known");
    if (g->shape.disks)
        xa_buf_printf(&text, ", %" PRIu64 " disk%s", g->shape.disks,
                      g->shape.disks > 1 ? "s" : "");
    if (g->known && g->shape.legs > 1)
        xa_buf_printf(&text, " in %" PRIu64 " legs", g->shape.legs);
    if (g->known && g->striped)
        xa_buf_printf(&text, ", %" PRIu64 " data disks, chunk %s, full stripe %s", g->data_disks,
                      size_word(g->stripe_unit_bytes, unit),
                      size_word(g->stripe_width_bytes, width));
    else if (g->known)
        xa_buf_puts(&text, ", no stripe");
    if (g->size_bytes)
        xa_buf_printf(&text, ", %" PRIu64 " bytes", g->size_bytes);
    if (g->start_offset_bytes)
        xa_buf_printf(&text, ", file system at %s", size_word(g->start_offset_bytes, unit));
    if (g->source)
        xa_buf_printf(&text, " (from: %s)", g->source);
    comment_buf(s, PAINT_COMMENT, &text);
}

/* What a description left open: on other disks mkfs.xfs makes something else of the line. */
static void write_assumed(struct script *s, const struct geometry *g)
{
    struct buf text = {0};
    if (xa_geometry_sector_assumed(g))
        xa_buf_puts(&text, "sectors of 512 bytes (sector=)");
    if (xa_geometry_layout_assumed(g))
        xa_buf_printf(&text, "%snear-2 layout (raid10n2, raid10f2, ...)",
                      text.length ? ", " : "");
    if (!text.length && !text.failed)
        return;
    struct buf line = {0};
    xa_buf_printf(&line, "assumed: %s", text.text ? text.text : "");
    line.failed |= text.failed;
    xa_buf_free(&text);
    comment_buf(s, PAINT_COMMENT, &line);
}

static const char *origin_word(enum xfsa_origin origin)
{
    static const char *const words[] = {"assumed", "found", "given", "recorded"};
    return words[origin];
}

static void write_target(struct script *s, const struct xfsa_advice *advice,
                         const struct target *t)
{
    struct buf text = {0};
    xa_buf_printf(&text, "for: xfsprogs %s (%s), ", t->xfsprogs, origin_word(t->xfsprogs_origin));
    if (t->kernel)
        xa_buf_printf(&text, "kernel %s (%s)", t->kernel, origin_word(t->kernel_origin));
    else
        xa_buf_puts(&text, "kernel not known");
    xa_buf_printf(&text, ", %" PRIu32 " CPU%s (%s), workload %s", t->cpus, t->cpus > 1 ? "s" : "",
                  origin_word(t->cpus_origin), advice->workload->id);
    comment_buf(s, PAINT_COMMENT, &text);
}

static void write_findings(struct script *s, const struct finding_list *findings)
{
    static const char *const severities[] = {"note", "warning", "error"};
    static const enum paint paints[] = {PAINT_COMMENT, PAINT_WARNING, PAINT_ERROR};
    for (size_t at = 0; at < findings->count; at++) {
        const struct finding *finding = &findings->items[at];
        enum severity severity = xa_finding_table[finding->id].severity;
        struct buf text = {0};
        xa_buf_printf(&text, "%s: ", severities[severity]);
        xa_finding_text(&text, finding);
        xa_buf_printf(&text, " [%s]", xa_finding_table[finding->id].id);
        comment_buf(s, paints[severity], &text);
        for (unsigned word = 0; finding->fix.argv && finding->fix.argv[word]; word++)
            xa_buf_printf(s->buf, "%s%s", word ? " " : "#   mend: ", finding->fix.argv[word]);
        if (finding->fix.argv)
            xa_buf_puts(s->buf, finding->fix.destroys == DESTROYS_DATA ? "   (destroys data)\n"
                                                                       : "\n");
    }
}

static void write_reasons(struct script *s, const struct advice_item *item,
                          enum setting_where where)
{
    for (unsigned at = 0; at < SETTING_ROWS; at++) {
        const struct setting *setting = &item->setting[at];
        const struct reason_row *reason = &xa_reason_table[setting->reason];
        struct buf text = {0};
        if (!setting->emitted || xa_setting_table[at].where != where)
            continue;
        if (*xa_setting_table[at].option)
            xa_buf_printf(&text, "%s ", xa_setting_table[at].option);
        if (xa_setting_table[at].kind != SETTING_KIND_SWITCH)
            xa_setting_pair(&text, at, setting);
        xa_buf_puts(&text, ": ");
        xa_buf_template(&text, reason->text, reason->kinds, setting->reason_args);
        for (unsigned tag = 0; tag < TABLE_EVIDENCE && reason->evidence[tag]; tag++)
            xa_buf_printf(&text, "%s%s", tag ? ", " : " [", reason->evidence[tag]);
        if (reason->evidence[0])
            xa_buf_puts(&text, "]");
        comment_buf(s, PAINT_COMMENT, &text);
    }
}

/* What mkfs.xfs takes from the kernel's hints by itself, and so stands in no line. */
static void write_by_itself(struct script *s, const struct advice_item *item)
{
    const struct setting *su = &item->setting[SETTING_MKFS_DATA_SU];
    const struct setting *sw = &item->setting[SETTING_MKFS_DATA_SW];
    char unit[SIZE_TEXT_MAX];
    struct buf text = {0};
    if (!su->has_value || su->emitted)
        return;
    xa_buf_printf(&text, "su=%s,sw=%" PRIu64 " come by themselves, from the kernel's hints: ",
                  xa_size_text(su->number, unit), sw->number);
    xa_buf_template(&text, xa_reason_table[sw->reason].text, xa_reason_table[sw->reason].kinds,
                    sw->reason_args);
    comment_buf(s, PAINT_COMMENT, &text);
}

static void write_message(struct script *s, const struct mkfs_message *message)
{
    struct buf said = {0}, text = {0};
    xa_mkfs_message_text(&said, message);
    for (char *at = said.text; at && *at; at++) {
        if (*at == '\n')
            *at = ' ';
    }
    xa_buf_printf(&text, "mkfs.xfs will say: \"%s\": %s", said.text ? said.text : "",
                  xa_message_table[message->id].why);
    text.failed |= said.failed;
    xa_buf_free(&said);
    comment_buf(s, PAINT_COMMENT, &text);
}

static void write_outcome(struct script *s, const struct advice_item *item)
{
    const struct mkfs_outcome *out = &item->outcome;
    struct buf text = {0};
    char unit[SIZE_TEXT_MAX];
    if (!item->predicted)
        return;
    xa_buf_printf(&text, "makes: %" PRIu64 " AGs of %" PRIu64 " blocks, %" PRIu64
                  " blocks of %" PRIu32 ", sunit=%" PRIu64 " swidth=%" PRIu64
                  " blks, log %" PRIu64 " blocks, log stripe unit %s, imaxpct=%u",
                  out->ag_count, out->ag_blocks, out->blocks, out->block_bytes,
                  out->stripe_unit_blocks, out->stripe_width_blocks, out->log_blocks,
                  xa_size_text(out->log_stripe_unit_bytes, unit), out->inode_max_percent);
    comment_buf(s, PAINT_COMMENT, &text);
    for (unsigned at = 0; at < out->message_count; at++)
        write_message(s, &out->messages[at]);
}

static void write_variable(struct script *s, const char *name, const char *value, size_t argument,
                           const char *what)
{
    xa_buf_printf(s->buf, "%s=", name);
    if (value)
        quote(s->buf, value);
    else
        xa_buf_printf(s->buf, "${%zu:?%s}", argument, what);
    xa_buf_puts(s->buf, "\n");
}

/* Before anything is made, all arguments are there and nothing is blocked. */
static void write_checks(struct script *s, const struct xfsa_advice *advice)
{
    size_t argument = 1;
    bool blocked = false;
    xa_buf_puts(s->buf, "set -eu\n");
    for (size_t at = 0; at < advice->count; at++) {
        const struct advice_item *item = &advice->items[at];
        blocked |= item->blocked;
        argument += !item->blocked && !item->device;
        argument += !item->blocked && !item->mountpoint;
    }
    if (blocked)
        xa_buf_puts(s->buf, "echo 'xfsadvise: an error blocks a line, see this script' >&2\n"
                            "exit 1\n");
    else if (advice->count > 1 && argument > 1)
        xa_buf_printf(s->buf, ": \"${%zu:?%zu arguments: device and mount point of each}\"\n",
                      argument - 1, argument - 1);
}

static void write_variables(struct script *s, const struct advice_item *item, size_t *argument)
{
    xa_buf_puts(s->buf, "\n");
    write_variable(s, "DEV", item->device, *argument, "device");
    *argument += !item->device;
    write_variable(s, "MNT", item->mountpoint, *argument, "mount point");
    *argument += !item->mountpoint;
}

static void write_fstab(struct script *s, const struct advice_item *item)
{
    struct buf fstab = {0};
    bool named = item->device || item->by_id || item->setting[SETTING_MKFS_LABEL].emitted ||
                 item->setting[SETTING_MKFS_META_UUID].emitted;
    xa_line_fstab(item, &fstab);
    xa_buf_puts(s->buf, "\n");
    if (named && item->mountpoint)
        comment(s, PAINT_COMMENT, "the line for /etc/fstab:");
    else
        comment(s, PAINT_COMMENT, named ? "the line for /etc/fstab, with MOUNTPOINT filled in:"
                                        : "the line for /etc/fstab, with DEVICE as UUID=... "
                                          "(blkid \"$DEV\") and MOUNTPOINT filled in:");
    xa_buf_puts(s->buf, "# ");
    xa_buf_puts(s->buf, fstab.text ? fstab.text : "");
    xa_buf_puts(s->buf, "\n");
    s->buf->failed |= fstab.failed;
    xa_buf_free(&fstab);
}

static void write_queue(struct script *s, const struct advice_item *item)
{
    const struct setting *sectors = &item->setting[SETTING_QUEUE_MAX_SECTORS_KB];
    struct buf text = {0}, rules = {0};
    if (!item->geometry.from_machine && sectors->has_value) {
        xa_buf_printf(&text, "queue: max_sectors_kb %" PRIu64 ": %s", sectors->number,
                      xa_reason_table[sectors->reason].text);
        comment_buf(s, PAINT_COMMENT, &text);
    }
    if (!item->queue)
        return;
    xa_buf_puts(s->buf, "\n");
    write_reasons(s, item, SETTING_WHERE_QUEUE);
    for (const struct queue_line *line = item->queue; line; line = line->next)
        xa_buf_printf(s->buf, "echo %" PRIu64 " >%s # was %" PRIu64 "\n", line->value, line->path,
                      line->was);
    xa_line_udev(item, &rules);
    if (rules.length) {
        comment(s, PAINT_COMMENT, "for good, in /etc/udev/rules.d/99-xfsadvise.rules:");
        char *rest = rules.text;
        for (char *rule = strsep(&rest, "\n"); rule && *rule; rule = strsep(&rest, "\n"))
            xa_buf_printf(s->buf, "# %s\n", rule);
    }
    s->buf->failed |= rules.failed;
    xa_buf_free(&rules);
}

static void write_blocked(struct script *s, const struct advice_item *item)
{
    struct line line;
    if (!item->line_known)
        return;
    xa_line_mkfs(item, s->arena, &line);
    comment(s, PAINT_ERROR, "blocked by the errors above:");
    command(s, &line, true);
}

static void write_lines(struct script *s, const struct advice_item *item, size_t *argument)
{
    struct line line;
    write_variables(s, item, argument);
    xa_buf_puts(s->buf, "\n");
    write_reasons(s, item, SETTING_WHERE_MKFS);
    write_by_itself(s, item);
    write_outcome(s, item);
    xa_line_mkfs(item, s->arena, &line);
    command(s, &line, false);
    xa_buf_puts(s->buf, "\n");
    write_reasons(s, item, SETTING_WHERE_MOUNT);
    xa_buf_puts(s->buf, "mkdir -p -- \"$MNT\"\n");
    xa_line_mount(item, s->arena, &line);
    if (line.count == 3)
        comment(s, PAINT_COMMENT, "the default mount options are right");
    command(s, &line, false);
    write_fstab(s, item);
    write_queue(s, item);
}

void xa_render_shell(const struct xfsa_advice *advice, unsigned flags, struct buf *buf)
{
    struct arena arena = {0};
    struct script s = {buf, &arena, (flags & XFSA_RENDER_COLOUR) != 0};
    size_t argument = 1;
    xa_buf_puts(buf, "#!/bin/sh\n");
    for (size_t at = 0; at < advice->count; at++) {
        const struct advice_item *item = &advice->items[at];
        xa_buf_puts(buf, at ? "\n" : "");
        write_storage(&s, item);
        write_assumed(&s, &item->geometry);
        write_target(&s, advice, &item->target);
        write_findings(&s, &item->findings);
        if (at == 0)
            write_checks(&s, advice);
        if (item->blocked)
            write_blocked(&s, item);
        else
            write_lines(&s, item, &argument);
    }
    xa_arena_free(&arena);
}
