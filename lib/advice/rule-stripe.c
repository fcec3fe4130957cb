// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: stripe unit and width of the data, from the geometry and where the file system starts.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "advice/advice.h"

#define LEAST_STRIPED_BYTES (UINT64_C(1) << 30)

static void no_stripe(struct rule_context *ctx, enum reason_id reason, bool say_noalign)
{
    ctx->su_bytes = ctx->sw = 0;
    ctx->full_stripe_unit = false;
    xa_setting_drop(ctx, SETTING_MKFS_DATA_SU);
    xa_setting_drop(ctx, SETTING_MKFS_DATA_SW);
    struct setting *setting = xa_setting_put(ctx, SETTING_MKFS_DATA_NOALIGN, 1, NULL, reason);
    setting->has_default = true;
    setting->emitted = say_noalign;
}

/* The commands that make a start right, as far as they can be written without a device. */
static void fix_start(struct rule_context *ctx, struct finding *finding)
{
    static const char *const words[] = {"parted", "-s", "-a", "none", "DISK", "mkpart", "xfs"};
    enum { WORDS = sizeof(words) / sizeof(words[0]), START = WORDS, END, STOP };
    const char **argv = xa_arena_alloc(ctx->arena, (STOP + 1) * sizeof(*argv));
    char *start = xa_arena_alloc(ctx->arena, SIZE_TEXT_MAX);
    if (!finding || !argv || !start) {
        ctx->item->findings.failed = true;
        return;
    }
    for (unsigned at = 0; at < WORDS; at++)
        argv[at] = words[at];
    snprintf(start, SIZE_TEXT_MAX, "%" PRIu64 "s", ctx->item->geometry.right_start_sectors);
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
    if (g->shape.legs > 1 && xa_geometry_parity(g)) {
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

void xa_rule_stripe(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    if (!g->known)
        return;
    if (!g->striped) {
        bool hinted = xa_level_table[g->shape.level].chunk;
        no_stripe(ctx, hinted ? REASON_NOALIGN_ONE_DISK : REASON_NO_STRIPE, hinted);
        return;
    }
    if (g->start == START_MISALIGNED) {
        report_start(ctx, FINDING_START_MISALIGNED, g->stripe_unit_bytes);
        no_stripe(ctx, REASON_NOALIGN_MISALIGNED, true);
        return;
    }
    if (xa_geometry_parity(g) && g->start_offset_bytes % g->leg_stripe_width_bytes)
        report_start(ctx, FINDING_START_NOT_FULL_STRIPE, g->leg_stripe_width_bytes);
    choose(ctx);
    if (!refuse_stripe(ctx))
        note_streaming(ctx);
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
