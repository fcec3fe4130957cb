// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: stripe unit and width of the data, from the geometry and where the file system starts.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "advice/advice.h"

#define LEAST_STRIPED_BYTES (UINT64_C(1) << 30)

/* Whether mkfs.xfs by itself would take a hint up, or complain of one. */
static bool hint_disturbs(struct rule_context *ctx)
{
    struct mkfs_outcome plain;
    if (!ctx->item->geometry.from_machine || !ctx->item->target.profile_known)
        return false;
    xa_predict(ctx, &plain);
    for (unsigned at = 0; at < plain.message_count; at++) {
        if (plain.messages[at].id == MESSAGE_HINT_INVALID ||
            plain.messages[at].id == MESSAGE_HINT_SMALL_VOLUME)
            return true;
    }
    return plain.stripe_unit_blocks != 0;
}

/* say_noalign: also where no hint is known that it would be needed against. */
static void no_stripe(struct rule_context *ctx, enum reason_id reason, bool say_noalign)
{
    ctx->su_bytes = ctx->sw = 0;
    ctx->full_stripe_unit = false;
    xa_setting_drop(ctx, SETTING_MKFS_DATA_SU);
    xa_setting_drop(ctx, SETTING_MKFS_DATA_SW);
    if (ctx->item->geometry.from_machine)
        say_noalign = hint_disturbs(ctx);
    struct setting *setting = xa_setting_put(ctx, SETTING_MKFS_DATA_NOALIGN, 1, NULL, reason);
    setting->has_default = true;
    setting->emitted = say_noalign;
}

/* The disk or array below a partition, or the word that stands for it. */
static const char *disk_below(struct rule_context *ctx)
{
    const struct stack *stack = ctx->stack;
    if (!stack->kind || !stack->base.name || stack->base.name == stack->top.name)
        return "DISK";
    struct buf text = {0};
    xa_buf_printf(&text, "/dev/%s", stack->base.name);
    const char *path = text.failed ? NULL : xa_arena_strdup(ctx->arena, text.text);
    ctx->item->findings.failed |= !path;
    xa_buf_free(&text);
    return path;
}

/* The command that makes the start right, as far as it can be written without a device. */
static void fix_start(struct rule_context *ctx, struct finding *finding)
{
    static const char *const words[] = {"parted", "-s", "-a", "none", NULL, "mklabel", "gpt",
                                        "mkpart", "xfs"};
    enum { DISK = 4, WORDS = sizeof(words) / sizeof(words[0]), START = WORDS, END, STOP };
    const char **argv = xa_arena_alloc(ctx->arena, (STOP + 1) * sizeof(*argv));
    char *start = xa_arena_alloc(ctx->arena, SIZE_TEXT_MAX);
    if (!finding || !argv || !start) {
        ctx->item->findings.failed = true;
        return;
    }
    for (unsigned at = 0; at < WORDS; at++)
        argv[at] = at == DISK ? disk_below(ctx) : words[at];
    snprintf(start, SIZE_TEXT_MAX, "%" PRIu64 "B", ctx->item->geometry.right_start_sectors * 512);
    argv[START] = start;
    argv[END] = "100%";
    finding->fix = (struct fix){argv, DESTROYS_DATA};
}

static void report_start(struct rule_context *ctx, enum finding_id id, uint64_t unit_bytes)
{
    const struct geometry *g = &ctx->item->geometry;
    fix_start(ctx, FINDING_ADD(&ctx->item->findings, id, ARG_NUMBER(g->start_offset_bytes),
                               ARG_NUMBER(unit_bytes), ARG_NUMBER(g->right_start_sectors)));
}

static enum reason_id sw_reason(const struct geometry *g, struct arg args[REASON_ARGS])
{
    args[0].number = g->shape.disks;
    args[1].number = g->parity_disks;
    if (xa_geometry_parity(g))
        return REASON_SW_DATA_DISKS;
    if (g->data_disks == g->shape.disks)
        return REASON_SW_ALL_DISKS;
    args[0].number = g->data_disks;
    return REASON_SW_MIRROR_GROUPS;
}

static void put_stripe(struct rule_context *ctx, enum reason_id su_reason, enum reason_id sw_why,
                       const struct arg sw_args[REASON_ARGS])
{
    struct setting *su =
        xa_setting_put(ctx, SETTING_MKFS_DATA_SU, ctx->su_bytes, NULL, su_reason);
    su->has_default = true;
    su->reason_args[0].number = ctx->su_bytes;
    struct setting *sw = xa_setting_put(ctx, SETTING_MKFS_DATA_SW, ctx->sw, NULL, sw_why);
    sw->has_default = true;
    for (unsigned at = 0; sw_args && at < REASON_ARGS; at++)
        sw->reason_args[at] = sw_args[at];
}

/* A full stripe as the unit keeps streamed stripes whole; measured on md RAID 5 and 6 only. */
static bool streams_on_parity(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    bool level = g->shape.level == LEVEL_RAID5 || g->shape.level == LEVEL_RAID6;
    return ctx->workload->streams && level;
}

static void choose(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    struct arg args[REASON_ARGS] = {0};
    if (g->confidence == CONFIDENCE_HINT) {
        ctx->su_bytes = g->stripe_unit_bytes;
        ctx->sw = g->data_disks;
        put_stripe(ctx, REASON_SU_HINT, REASON_SW_HINT, NULL);
    } else if (g->shape.legs > 1 && xa_geometry_parity(g)) {
        ctx->su_bytes = g->leg_stripe_width_bytes;
        ctx->sw = g->shape.legs;
        put_stripe(ctx, REASON_SU_LEG, REASON_SW_LEGS, NULL);
    } else if (streams_on_parity(ctx) && g->md_symmetric) {
        ctx->su_bytes = g->stripe_width_bytes;
        ctx->sw = 1;
        ctx->full_stripe_unit = true;
        put_stripe(ctx, REASON_SU_FULL_STRIPE, REASON_SW_ONE, NULL);
    } else {
        ctx->su_bytes = g->stripe_unit_bytes;
        ctx->sw = g->data_disks;
        enum reason_id reason = sw_reason(g, args);
        put_stripe(ctx, REASON_SU_CHUNK, reason, args);
    }
}

/* What keeps a right stripe out of the line; true: it was left out. */
static bool refuse_stripe(struct rule_context *ctx)
{
    struct finding_list *findings = &ctx->item->findings;
    const struct geometry *g = &ctx->item->geometry;
    if (ctx->su_bytes * ctx->sw > INT_MAX) {
        FINDING_ADD(findings, FINDING_STRIPE_WIDTH_TOO_LARGE, ARG_NUMBER(ctx->su_bytes * ctx->sw));
        no_stripe(ctx, REASON_NOALIGN_IMPOSSIBLE, true);
    } else if (ctx->su_bytes % ctx->block_bytes) {
        FINDING_ADD(findings, FINDING_CHUNK_NOT_BLOCKS, ARG_NUMBER(ctx->su_bytes),
                    ARG_NUMBER(ctx->block_bytes));
        no_stripe(ctx, REASON_NOALIGN_IMPOSSIBLE, true);
    } else if (g->size_bytes && g->size_bytes < LEAST_STRIPED_BYTES) {
        FINDING_ADD(findings, FINDING_SMALL_FOR_STRIPE, ARG_NUMBER(g->size_bytes));
        no_stripe(ctx, REASON_NOALIGN_SMALL, true);
    } else {
        return false;
    }
    return true;
}

static void note_streaming(struct rule_context *ctx)
{
    if (ctx->full_stripe_unit)
        FINDING_ADD(&ctx->item->findings, FINDING_STREAMING_FULL_STRIPE,
                    ARG_NUMBER(ctx->su_bytes));
    else if (streams_on_parity(ctx) && !ctx->item->setting[SETTING_MKFS_DATA_NOALIGN].present &&
             !ctx->item->geometry.md_symmetric)
        FINDING_ADD(&ctx->item->findings, FINDING_STREAMING_LAYOUT_UNKNOWN, ARG_NUMBER(0));
}

/* What the hints are worth is said wherever they do not decide. */
static void report_hints(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    const struct device_row *kind = ctx->stack->kind;
    struct finding_list *findings = &ctx->item->findings;
    bool facts = g->confidence == CONFIDENCE_FACT && g->striped;
    if (!kind || g->hint == HINT_NONE)
        return;
    if (facts && (g->io_min_bytes != g->stripe_unit_bytes ||
                  g->io_opt_bytes != g->stripe_width_bytes))
        FINDING_ADD(findings, FINDING_HINT_STALE, ARG_NUMBER(g->io_min_bytes),
                    ARG_NUMBER(g->io_opt_bytes));
    else if (g->striped)
        return;
    else if (g->hint == HINT_BOGUS)
        FINDING_ADD(findings, FINDING_HINT_IMPLAUSIBLE, ARG_NUMBER(g->io_min_bytes),
                    ARG_NUMBER(g->io_opt_bytes));
    else if (kind->hint == HINT_NEVER)
        FINDING_ADD(findings, FINDING_HINT_IGNORED, ARG_TEXT(kind->id),
                    ARG_NUMBER(g->io_min_bytes), ARG_NUMBER(g->io_opt_bytes));
    else if (g->hint == HINT_UNIT && kind->hint == HINT_PASS && g->shape.level == LEVEL_NONE)
        FINDING_ADD(findings, FINDING_HINT_ONE_UNIT, ARG_NUMBER(g->io_min_bytes));
}

/* Storage without a stripe; a hint of one unit is left to mkfs.xfs. */
static void unstriped(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    const struct device_row *kind = ctx->stack->kind;
    bool one_disk = xa_level_table[g->shape.level].chunk;
    if (kind && kind->hint == HINT_PASS && g->hint == HINT_UNIT && g->shape.level == LEVEL_NONE)
        return;
    no_stripe(ctx, one_disk ? REASON_NOALIGN_ONE_DISK
                            : kind ? REASON_NOALIGN_HINT : REASON_NO_STRIPE, one_disk);
    if (!ctx->item->setting[SETTING_MKFS_DATA_NOALIGN].emitted)
        ctx->item->setting[SETTING_MKFS_DATA_NOALIGN].reason = REASON_NO_STRIPE;
}

/* su and sw that mkfs.xfs takes from the hints by itself do not change the outcome. */
static void leave_to_mkfs(struct rule_context *ctx)
{
    struct setting *su = &ctx->item->setting[SETTING_MKFS_DATA_SU];
    struct setting *sw = &ctx->item->setting[SETTING_MKFS_DATA_SW];
    struct mkfs_outcome plain;
    if (!ctx->item->geometry.from_machine || !ctx->item->target.profile_known || !ctx->su_bytes)
        return;
    su->emitted = sw->emitted = false;
    xa_predict(ctx, &plain);
    bool taken = plain.stripe_unit_blocks * ctx->block_bytes == ctx->su_bytes &&
                 plain.stripe_width_blocks * ctx->block_bytes == ctx->su_bytes * ctx->sw;
    su->emitted = sw->emitted = !taken;
    su->default_number = plain.stripe_unit_blocks * ctx->block_bytes;
    sw->default_number = plain.stripe_unit_blocks
                             ? plain.stripe_width_blocks / plain.stripe_unit_blocks : 0;
}

static void misaligned(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    report_start(ctx, g->alignment_offset_bytes ? FINDING_START_REFUSED : FINDING_START_MISALIGNED,
                 g->stripe_unit_bytes);
    no_stripe(ctx, REASON_NOALIGN_MISALIGNED, true);
}

void xa_rule_stripe(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    if (!g->known)
        return;
    report_hints(ctx);
    if (!g->striped) {
        unstriped(ctx);
        return;
    }
    if (g->start == START_MISALIGNED) {
        misaligned(ctx);
        return;
    }
    if (g->alignment_inconsistent) {
        no_stripe(ctx, REASON_NOALIGN_INCONSISTENT, true);
        return;
    }
    if (xa_geometry_parity(g) && g->start_offset_bytes % g->leg_stripe_width_bytes)
        report_start(ctx, FINDING_START_NOT_FULL_STRIPE, g->leg_stripe_width_bytes);
    choose(ctx);
    if (refuse_stripe(ctx))
        return;
    note_streaming(ctx);
    leave_to_mkfs(ctx);
}

/* A stripe that leaves no AG large enough for the log is given up. */
static bool give_up_stripe(struct rule_context *ctx, const struct mkfs_outcome *refused)
{
    struct mkfs_outcome without;
    struct setting kept[SETTING_ROWS];
    if (!ctx->su_bytes || ctx->request->agcount || ctx->request->agsize_bytes ||
        refused->message_count == 0)
        return false;
    for (unsigned at = 0; at < SETTING_ROWS; at++)
        kept[at] = ctx->item->setting[at];
    no_stripe(ctx, REASON_NOALIGN_SMALL, true);
    xa_setting_drop(ctx, SETTING_MKFS_LOG_SU);
    xa_setting_drop(ctx, SETTING_MKFS_DATA_AGSIZE);
    xa_predict(ctx, &without);
    if (without.status) {
        for (unsigned at = 0; at < SETTING_ROWS; at++)
            ctx->item->setting[at] = kept[at];
        return false;
    }
    FINDING_ADD(&ctx->item->findings, FINDING_SMALL_FOR_STRIPE,
                ARG_NUMBER(ctx->item->geometry.size_bytes));
    ctx->item->outcome = without;
    return true;
}

void xa_rule_outcome(struct rule_context *ctx)
{
    struct advice_item *item = ctx->item;
    if (!item->line_known || !item->target.profile_known)
        return;
    xa_predict(ctx, &item->outcome);
    item->predicted = item->outcome.status == 0;
    if (item->predicted || xa_finding_blocks(&item->findings))
        return;
    if (give_up_stripe(ctx, &item->outcome)) {
        item->predicted = true;
        return;
    }
    struct buf text = {0};
    for (unsigned at = 0; at < item->outcome.message_count; at++) {
        if (xa_message_table[item->outcome.messages[at].id].fatal)
            xa_mkfs_message_text(&text, &item->outcome.messages[at]);
    }
    char *message = xa_buf_take(&text);
    item->findings.failed |= !message;
    FINDING_ADD(&item->findings, FINDING_MKFS_REFUSES, ARG_TEXT(message));
    xa_buf_free(&(struct buf){.text = message});
}
