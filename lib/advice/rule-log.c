// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: an external log, and the log stripe unit, which every fsync pads its write to.
#include "advice/advice.h"

/* A log of this size fits any sensible log device, and is the one that was measured. */
#define ASSUMED_LOG_BYTES (UINT64_C(512) << 20)
enum { SMALL_UNIT_BYTES = 65536, CAPPED_UNIT_BYTES = 32768, SECTOR_BYTES = 512 };

static void put_log_size(struct rule_context *ctx, uint64_t bytes, enum reason_id reason)
{
    xa_setting_put(ctx, SETTING_MKFS_LOG_SIZE, bytes, NULL, reason);
}

void xa_rule_log_device(struct rule_context *ctx)
{
    const struct xfsa_request *request = ctx->request;
    struct finding_list *findings = &ctx->item->findings;
    uint64_t size = request->log_size_bytes;
    if (!request->log_device) {
        if (size) {
            put_log_size(ctx, size, REASON_LOG_SIZE_ASKED);
            ctx->item->setting[SETTING_MKFS_LOG_SIZE].origin = ORIGIN_GIVEN;
        }
        return;
    }
    const char *device = xa_arena_strdup(ctx->arena, request->log_device);
    findings->failed |= !device;
    xa_setting_put(ctx, SETTING_MKFS_LOG_LOGDEV, 0, device, REASON_LOG_EXTERNAL)->origin =
        ORIGIN_GIVEN;
    FINDING_ADD(findings, FINDING_LOG_NOT_MIRRORED, ARG_TEXT(device));
    put_log_size(ctx, size ? size : ASSUMED_LOG_BYTES,
                 size ? REASON_LOG_SIZE_ASKED : REASON_LOG_SIZE_EXTERNAL);
    if (!size)
        FINDING_ADD(findings, FINDING_LOG_SIZE_ASSUMED, ARG_NUMBER(ASSUMED_LOG_BYTES));
    else
        ctx->item->setting[SETTING_MKFS_LOG_SIZE].origin = ORIGIN_GIVEN;
}

/* The unit this workload should have on a log in the stripe; not below a block. */
static uint64_t wanted_unit(const struct rule_context *ctx)
{
    uint64_t unit = ctx->su_bytes;
    if (ctx->workload->log_unit_block)
        unit = ctx->block_bytes;
    else if (unit > SMALL_UNIT_BYTES)
        unit = CAPPED_UNIT_BYTES;
    return unit > ctx->block_bytes ? unit : ctx->block_bytes;
}

static enum reason_id unit_reason(const struct rule_context *ctx)
{
    if (ctx->workload->log_unit_block)
        return REASON_LOG_UNIT_BLOCK;
    return ctx->su_bytes > SMALL_UNIT_BYTES ? REASON_LOG_UNIT_CAPPED : REASON_LOG_UNIT_4K;
}

static void external_unit(struct rule_context *ctx)
{
    if (!ctx->item->target.profile_known ||
        ctx->item->target.profile.behaviour[PROGS_LOG_UNIT_FROM_LOG_DEVICE])
        xa_setting_put(ctx, SETTING_MKFS_LOG_SU, ctx->block_bytes, NULL,
                       REASON_LOG_UNIT_EXTERNAL);
}

/* The sectors that the log will have are larger than 512 bytes: releases differ in what they make
   of that. */
static bool large_sectors(const struct rule_context *ctx)
{
    const struct setting *asked = &ctx->item->setting[SETTING_MKFS_SECTOR_SIZE];
    uint32_t physical = ctx->env.physical_sector_bytes;
    if (asked->emitted)
        return asked->number > SECTOR_BYTES;
    return physical > SECTOR_BYTES && physical <= ctx->block_bytes;
}

void xa_rule_log_unit(struct rule_context *ctx)
{
    struct mkfs_outcome own;
    if (ctx->request->log_device) {
        external_unit(ctx);
        return;
    }
    if (!ctx->su_bytes)
        return;
    uint64_t wanted = wanted_unit(ctx);
    bool same = wanted == ctx->su_bytes && !large_sectors(ctx);
    if (ctx->item->line_known && ctx->item->target.profile_known)
        xa_predict(ctx, &own);
    else
        own = (struct mkfs_outcome){.status = 1};
    struct setting *unit =
        xa_setting_put(ctx, SETTING_MKFS_LOG_SU, wanted, NULL, unit_reason(ctx));
    unit->has_default = own.status == 0;
    unit->default_number = own.log_stripe_unit_bytes;
    if (!same)
        return;
    unit->emitted = false;
    unit->origin = ORIGIN_DEFAULT;
    unit->reason = REASON_LOG_UNIT_OWN;
}
