// SPDX-License-Identifier: LGPL-2.1-or-later
// A format: JSON, schema 1. Integers are bytes unless the key says otherwise; what is not
// known is null.
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "render/render.h"

/* A JSON document under construction; failed once memory was short. */
struct writer {
    struct arena arena;
    bool failed;
};

static void put(struct writer *w, json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new_nocheck(object, key, value))
        w->failed = true;
}

static void push(struct writer *w, json_t *array, json_t *value)
{
    if (!value || json_array_append_new(array, value))
        w->failed = true;
}

static void put_number(struct writer *w, json_t *object, const char *key, uint64_t number)
{
    put(w, object, key, json_integer((json_int_t)number));
}

static void put_known(struct writer *w, json_t *object, const char *key, uint64_t number,
                      bool known)
{
    put(w, object, key, known ? json_integer((json_int_t)number) : json_null());
}

static void put_text(struct writer *w, json_t *object, const char *key, const char *text)
{
    put(w, object, key, text ? json_string_nocheck(text) : json_null());
}

static void put_bool(struct writer *w, json_t *object, const char *key, bool value)
{
    put(w, object, key, json_boolean(value));
}

/* A new object or array under key, to be filled. */
static json_t *put_object(struct writer *w, json_t *parent, const char *key)
{
    json_t *object = json_object();
    put(w, parent, key, object);
    return object;
}

static json_t *put_array(struct writer *w, json_t *parent, const char *key)
{
    json_t *array = json_array();
    put(w, parent, key, array);
    return array;
}

static json_t *take_string(struct writer *w, struct buf *buf)
{
    json_t *string = buf->failed ? NULL : json_string_nocheck(buf->text ? buf->text : "");
    xa_buf_free(buf);
    w->failed |= !string;
    return string;
}

static const char *origin_text(enum xfsa_origin origin)
{
    static const char *const names[] = {"assumed", "host", "user", "capture"};
    return names[origin];
}

/* The weakest: what is assumed about the target has to be seen. */
static enum xfsa_origin target_origin(const struct target *t)
{
    static const enum xfsa_origin weakest_first[] = {XFSA_ORIGIN_ASSUMED, XFSA_ORIGIN_USER,
                                                     XFSA_ORIGIN_CAPTURE, XFSA_ORIGIN_HOST};
    for (unsigned at = 0; at < 3; at++) {
        enum xfsa_origin origin = weakest_first[at];
        if (t->kernel_origin == origin || t->xfsprogs_origin == origin ||
            t->cpus_origin == origin)
            return origin;
    }
    return XFSA_ORIGIN_HOST;
}

static void write_target(struct writer *w, json_t *item, const struct target *t)
{
    json_t *object = put_object(w, item, "target");
    put_text(w, object, "kernel", t->kernel);
    put_text(w, object, "xfsprogs", t->xfsprogs);
    put_number(w, object, "cpus", t->cpus);
    put_text(w, object, "origin", origin_text(target_origin(t)));
    put_text(w, object, "kernel_origin", origin_text(t->kernel_origin));
    put_text(w, object, "xfsprogs_origin", origin_text(t->xfsprogs_origin));
    put_text(w, object, "cpus_origin", origin_text(t->cpus_origin));
}

static void write_geometry(struct writer *w, json_t *item, const struct geometry *g)
{
    static const char *const starts[] = {"unknown", "full-stripe", "stripe-unit", "misaligned"};
    static const char *const states[] = {"clean", "degraded", "syncing", "reshaping", "inactive"};
    static const char *const confidences[] = {"fact", "hint", "user"};
    json_t *object = put_object(w, item, "geometry");
    bool striped = g->known && g->striped;
    put_bool(w, object, "known", g->known);
    put(w, object, "striped", g->known ? json_boolean(g->striped) : json_null());
    put_text(w, object, "state", g->from_machine ? states[g->flux] : NULL);
    put_text(w, object, "level", g->level_known ? xa_level_table[g->shape.level].id : NULL);
    put_known(w, object, "disks", g->shape.disks, g->shape.disks != 0);
    put_known(w, object, "stripe_unit", g->stripe_unit_bytes, striped);
    put_known(w, object, "data_disks", g->data_disks, g->known);
    put_known(w, object, "stripe_width", g->stripe_width_bytes, striped);
    put_known(w, object, "parity_disks", g->parity_disks, g->known && g->level_known);
    put_known(w, object, "legs", g->shape.legs, g->level_known && g->known);
    put_known(w, object, "leg_stripe_width", g->leg_stripe_width_bytes, striped);
    put_number(w, object, "start_offset", g->start_offset_bytes);
    put_text(w, object, "start", starts[g->start]);
    put_known(w, object, "partition_alignment", g->partition_alignment_bytes, striped);
    put_known(w, object, "partition_start_sectors", g->right_start_sectors, striped);
    put_known(w, object, "sector_logical", g->logical_sector_bytes, g->logical_sector_bytes != 0);
    put_known(w, object, "sector_physical", g->physical_sector_bytes,
              g->physical_sector_bytes != 0);
    put(w, object, "rotational", g->rotational < 0 ? json_null() : json_boolean(g->rotational));
    put_text(w, object, "confidence", confidences[g->confidence]);
    json_t *source = put_array(w, object, "source");
    if (g->source)
        push(w, source, json_string_nocheck(g->source));
    json_t *assumed = put_array(w, object, "assumed");
    if (xa_geometry_sector_assumed(g))
        push(w, assumed, json_string_nocheck("sector=512"));
    if (xa_geometry_layout_assumed(g))
        push(w, assumed, json_string_nocheck("layout=n2"));
    json_t *missing = put_array(w, object, "missing");
    for (unsigned at = 0; at < g->missing_count; at++)
        push(w, missing, json_string_nocheck(g->missing[at]));
}

static void write_message(struct writer *w, json_t *messages, const struct mkfs_message *message)
{
    struct buf text = {0};
    xa_mkfs_message_text(&text, message);
    w->failed |= text.failed;
    char *rest = text.text;
    for (char *line = rest ? strsep(&rest, "\n") : NULL; line; line = strsep(&rest, "\n")) {
        json_t *object = json_object();
        push(w, messages, object);
        put_text(w, object, "stream", message->stream == STREAM_STDOUT ? "stdout" : "stderr");
        put_text(w, object, "text", line);
        put_text(w, object, "why", xa_message_table[message->id].why);
    }
    xa_buf_free(&text);
}

static void write_filesystem(struct writer *w, json_t *item, const struct advice_item *advice)
{
    const struct mkfs_outcome *out = &advice->outcome;
    if (!advice->predicted) {
        put(w, item, "filesystem", json_null());
        return;
    }
    json_t *object = put_object(w, item, "filesystem");
    put_number(w, object, "block_size", out->block_bytes);
    put_number(w, object, "sector_size", out->sector_bytes);
    put_number(w, object, "ag_count", out->ag_count);
    put_number(w, object, "ag_size_blocks", out->ag_blocks);
    put_number(w, object, "blocks", out->blocks);
    put_number(w, object, "stripe_unit_blocks", out->stripe_unit_blocks);
    put_number(w, object, "stripe_width_blocks", out->stripe_width_blocks);
    put_number(w, object, "log_blocks", out->log_blocks);
    put_known(w, object, "log_start_block", out->log_start_block, !out->log_external);
    put_number(w, object, "log_stripe_unit", out->log_stripe_unit_bytes);
    put_number(w, object, "log_sector_size", out->log_sector_bytes);
    put_bool(w, object, "log_external", out->log_external);
    put_number(w, object, "inode_max_percent", out->inode_max_percent);
    json_t *features = put_object(w, object, "features");
    for (unsigned at = 0; at < FEATURE_ROWS; at++) {
        if (advice->target.profile.feature[at] >= 0)
            put_bool(w, features, xa_feature_table[at].id, out->feature[at]);
    }
    json_t *messages = put_array(w, object, "messages");
    for (unsigned at = 0; at < out->message_count; at++)
        write_message(w, messages, &out->messages[at]);
}

static void write_recommended(struct writer *w, json_t *item, const struct advice_item *advice)
{
    const struct setting *s = advice->setting;
    const struct mkfs_outcome *out = &advice->outcome;
    json_t *object = put_object(w, item, "recommended");
    put_known(w, object, "su", s[SETTING_MKFS_DATA_SU].number, s[SETTING_MKFS_DATA_SU].has_value);
    put_known(w, object, "sw", s[SETTING_MKFS_DATA_SW].number, s[SETTING_MKFS_DATA_SW].has_value);
    put_known(w, object, "agcount", out->ag_count, advice->predicted);
    const struct setting *unit = &s[SETTING_MKFS_LOG_SU];
    put_known(w, object, "log_stripe_unit",
              advice->predicted ? out->log_stripe_unit_bytes : unit->number,
              advice->predicted || unit->has_value);
    put_known(w, object, "allocsize", s[SETTING_MOUNT_ALLOCSIZE].number,
              s[SETTING_MOUNT_ALLOCSIZE].has_value);
    put_known(w, object, "max_sectors_kb", s[SETTING_QUEUE_MAX_SECTORS_KB].number,
              s[SETTING_QUEUE_MAX_SECTORS_KB].has_value);
}

static void put_value(struct writer *w, json_t *object, const char *key, enum setting_id id,
                      uint64_t number, const char *text)
{
    struct buf value = {0};
    xa_setting_value(&value, id, number, text);
    put(w, object, key, take_string(w, &value));
}

static void write_setting(struct writer *w, json_t *settings, enum setting_id id,
                          const struct setting *setting)
{
    static const char *const origins[] = {"default", "advised", "given"};
    const struct reason_row *reason = &xa_reason_table[setting->reason];
    struct buf text = {0};
    json_t *object = json_object();
    push(w, settings, object);
    put_text(w, object, "id", xa_setting_table[id].id);
    if (setting->has_value)
        put_value(w, object, "value", id, setting->number, setting->text);
    else
        put(w, object, "value", json_null());
    if (setting->has_default)
        put_value(w, object, "default", id, setting->default_number, NULL);
    else
        put(w, object, "default", json_null());
    put_text(w, object, "origin", origins[setting->origin]);
    put_bool(w, object, "emitted", setting->emitted);
    xa_buf_template(&text, reason->text, reason->kinds, setting->reason_args);
    put(w, object, "reason", take_string(w, &text));
    json_t *evidence = put_array(w, object, "evidence");
    for (unsigned at = 0; at < TABLE_EVIDENCE && reason->evidence[at]; at++)
        push(w, evidence, json_string_nocheck(reason->evidence[at]));
}

static void write_fix(struct writer *w, json_t *object, const struct fix *fix)
{
    static const char *const destroys[] = {"none", "label", "data"};
    json_t *fixes = put_array(w, object, "fix");
    if (!fix->argv)
        return;
    json_t *one = json_object();
    push(w, fixes, one);
    json_t *argv = put_array(w, one, "argv");
    for (unsigned at = 0; fix->argv[at]; at++)
        push(w, argv, json_string_nocheck(fix->argv[at]));
    put_text(w, one, "destroys", destroys[fix->destroys]);
}

static void write_finding(struct writer *w, json_t *findings, const struct finding *finding)
{
    static const char *const severities[] = {"note", "warning", "error"};
    const struct finding_row *row = &xa_finding_table[finding->id];
    struct buf text = {0};
    json_t *object = json_object();
    push(w, findings, object);
    put_text(w, object, "id", row->id);
    put_text(w, object, "severity", severities[row->severity]);
    xa_finding_text(&text, finding);
    put(w, object, "text", take_string(w, &text));
    json_t *numbers = put_object(w, object, "numbers");
    for (unsigned at = 0; row->kinds[at]; at++) {
        if (row->kinds[at] != 't')
            put_number(w, numbers, row->names[at], finding->args[at].number);
    }
    write_fix(w, object, &finding->fix);
}

static json_t *words(struct writer *w, const struct line *line, unsigned from, unsigned to)
{
    json_t *array = json_array();
    for (unsigned at = from; at < to; at++)
        push(w, array, json_string_nocheck(line->token[at].text));
    w->failed |= !array || line->failed;
    return array;
}

static void write_blocked(struct writer *w, json_t *lines, const struct advice_item *advice,
                          const struct line *mkfs)
{
    json_t *blocked = put_object(w, lines, "mkfs_blocked");
    put(w, blocked, "argv", advice->line_known ? words(w, mkfs, 0, mkfs->count) : json_null());
    json_t *by = put_array(w, blocked, "by");
    for (size_t at = 0; at < advice->findings.count; at++) {
        const struct finding_row *row = &xa_finding_table[advice->findings.items[at].id];
        if (row->blocks)
            push(w, by, json_string_nocheck(row->id));
    }
}

static void write_mount(struct writer *w, json_t *lines, const struct advice_item *advice)
{
    struct line mount;
    struct buf fstab = {0};
    xa_line_mount(advice, &w->arena, &mount);
    put(w, lines, "mount", words(w, &mount, 0, mount.count));
    json_t *options = put_array(w, lines, "mount_options");
    for (unsigned at = 0; at < SETTING_ROWS; at++) {
        struct buf pair = {0};
        if (xa_setting_table[at].where != SETTING_WHERE_MOUNT || !advice->setting[at].emitted)
            continue;
        xa_setting_pair(&pair, at, &advice->setting[at]);
        push(w, options, take_string(w, &pair));
    }
    xa_line_fstab(advice, &fstab);
    put(w, lines, "fstab", take_string(w, &fstab));
}

static void write_queue(struct writer *w, json_t *lines, const struct advice_item *advice)
{
    struct buf rules = {0};
    json_t *queue = put_array(w, lines, "queue");
    for (const struct queue_line *line = advice->queue; line; line = line->next) {
        char value[24], was[24];
        json_t *object = json_object();
        push(w, queue, object);
        snprintf(value, sizeof(value), "%" PRIu64, line->value);
        snprintf(was, sizeof(was), "%" PRIu64, line->was);
        put_text(w, object, "path", line->path);
        put_text(w, object, "value", value);
        put_text(w, object, "was", was);
    }
    xa_line_udev(advice, &rules);
    if (rules.length || rules.failed)
        put(w, lines, "udev", take_string(w, &rules));
    else
        put(w, lines, "udev", json_null());
}

static void write_lines(struct writer *w, json_t *item, const struct advice_item *advice)
{
    struct line mkfs;
    json_t *lines = put_object(w, item, "lines");
    xa_line_mkfs(advice, &w->arena, &mkfs);
    w->failed |= mkfs.failed;
    if (advice->blocked) {
        put(w, lines, "mkfs", json_null());
        put(w, lines, "mkfs_options", json_null());
        write_blocked(w, lines, advice, &mkfs);
    } else {
        put(w, lines, "mkfs", words(w, &mkfs, 0, mkfs.count));
        put(w, lines, "mkfs_options", words(w, &mkfs, 1, mkfs.count - 1));
        put(w, lines, "mkfs_blocked", json_null());
    }
    write_mount(w, lines, advice);
    write_queue(w, lines, advice);
}

static json_t *write_item(struct writer *w, const struct advice_item *advice)
{
    json_t *item = json_object();
    put_text(w, item, "device", advice->device);
    put_text(w, item, "name", advice->name);
    put_known(w, item, "size", advice->geometry.size_bytes, advice->geometry.size_bytes != 0);
    write_target(w, item, &advice->target);
    write_geometry(w, item, &advice->geometry);
    write_filesystem(w, item, advice);
    write_recommended(w, item, advice);
    json_t *settings = put_array(w, item, "settings");
    for (unsigned at = 0; at < SETTING_ROWS; at++) {
        if (advice->setting[at].present)
            write_setting(w, settings, at, &advice->setting[at]);
    }
    json_t *findings = put_array(w, item, "findings");
    for (size_t at = 0; at < advice->findings.count; at++)
        write_finding(w, findings, &advice->findings.items[at]);
    write_lines(w, item, advice);
    return item;
}

static int dump(const char *bytes, size_t size, void *data)
{
    struct buf *buf = data;
    xa_buf_add(buf, bytes, size);
    return buf->failed ? -1 : 0;
}

void xa_render_json(const struct xfsa_advice *advice, unsigned flags, struct buf *buf)
{
    struct writer w = {0};
    json_t *root = json_object();
    (void)flags;
    put_number(&w, root, "schema", 1);
    put_text(&w, root, "tool", "xfsadvise");
    put_text(&w, root, "version", xfsa_version());
    json_t *items = put_array(&w, root, "advice");
    for (size_t at = 0; at < advice->count; at++)
        push(&w, items, write_item(&w, &advice->items[at]));
    if (w.failed || json_dump_callback(root, dump, buf, JSON_INDENT(2)))
        buf->failed = true;
    xa_buf_add(buf, "\n", 1);
    json_decref(root);
    xa_arena_free(&w.arena);
}
