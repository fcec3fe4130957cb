// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: an external log, and the log stripe unit, which every fsync pads its write to.
#include <string.h>

#include "advice/advice.h"
#include "base/lookup.h"

/* A log of this size fits any sensible log device, and is the one that was measured. */
#define ASSUMED_LOG_BYTES (UINT64_C(512) << 20)
#define MOST_LOG_BYTES UINT64_C(2136997888)
enum { SMALL_UNIT_BYTES = 65536, CAPPED_UNIT_BYTES = 32768, SECTOR_BYTES = 512 };

static void put_log_size(struct rule_context *ctx, uint64_t bytes, enum reason_id reason)
{
    xa_setting_put(ctx, SETTING_MKFS_LOG_SIZE, bytes, NULL, reason);
}

/* A log device that is not free is as much a loss as a data device. */
static void check_log_device(struct rule_context *ctx, const char *device)
{
    static const enum attribute_id uses[] = {ATTRIBUTE_MOUNTED, ATTRIBUTE_HOLDER,
                                             ATTRIBUTE_SIGNATURE, ATTRIBUTE_SWAP,
                                             ATTRIBUTE_PARTITIONS, ATTRIBUTE_READ_ONLY};
    const struct level_row *level = NULL;
    struct finding_list *findings = &ctx->item->findings;
    for (size_t at = 0; ctx->log && at < sizeof(uses) / sizeof(uses[0]); at++) {
        bool allowed = uses[at] == ATTRIBUTE_SIGNATURE && ctx->request->overwrite;
        if (ctx->log->top.fact[uses[at]] && !allowed)
            FINDING_ADD(findings, FINDING_LOG_DEVICE_IN_USE, ARG_TEXT(device),
                        ARG_TEXT(xa_attribute_table[uses[at]].id));
    }
    const char *name = ctx->log ? xa_settled_text(&ctx->log->base, ATTRIBUTE_LEVEL) : NULL;
    int row = name ? XA_LOOKUP(xa_level_table, name, strlen(name)) : -1;
    if (row >= 0)
        level = &xa_level_table[row];
    if (!level || level->family < FAMILY_MIRROR || level->family == FAMILY_STRIPE)
        FINDING_ADD(findings, FINDING_LOG_NOT_MIRRORED, ARG_TEXT(device));
}

/* mkfs.xfs sets the data device's sector size on the log device too, so that one may not be
   smaller than what the log device takes. */
static void fit_sectors(struct rule_context *ctx, uint64_t log_sector)
{
    const struct setting *asked = &ctx->item->setting[SETTING_MKFS_SECTOR_SIZE];
    uint64_t sector = asked->emitted ? asked->number : ctx->env.physical_sector_bytes;
    if (log_sector <= SECTOR_BYTES || sector >= log_sector)
        return;
    if (ctx->request->sector_size_bytes || log_sector > ctx->block_bytes)
        FINDING_ADD(&ctx->item->findings, FINDING_LOG_SECTOR_LARGER, ARG_NUMBER(log_sector));
    else
        xa_setting_put(ctx, SETTING_MKFS_SECTOR_SIZE, log_sector, NULL, REASON_LOG_SECTOR);
}

/* What the log device itself says: its size and sectors. */
static uint64_t read_log_device(struct rule_context *ctx)
{
    uint64_t bytes = xa_stack_number(ctx->log, ATTRIBUTE_SIZE, 0);
    uint64_t logical = xa_stack_number(ctx->log, ATTRIBUTE_LOGICAL_SECTOR, SECTOR_BYTES);
    ctx->env.log_device_bytes = bytes;
    ctx->env.log_device_sector_bytes = (uint32_t)logical;
    ctx->env.log_device_physical_bytes =
        (uint32_t)xa_stack_number(ctx->log, ATTRIBUTE_PHYSICAL_SECTOR, logical);
    ctx->env.log_device_io_min_bytes = xa_stack_number(ctx->log, ATTRIBUTE_IO_MIN, 0);
    ctx->env.log_device_io_opt_bytes = xa_stack_number(ctx->log, ATTRIBUTE_IO_OPT, 0);
    fit_sectors(ctx, logical);
    if (bytes > MOST_LOG_BYTES)
        bytes = MOST_LOG_BYTES;
    return bytes / ctx->block_bytes * ctx->block_bytes;
}

static void size_log(struct rule_context *ctx, uint64_t asked)
{
    uint64_t device = ctx->log ? read_log_device(ctx) : 0;
    if (asked) {
        put_log_size(ctx, asked, REASON_LOG_SIZE_ASKED);
        ctx->item->setting[SETTING_MKFS_LOG_SIZE].origin = ORIGIN_GIVEN;
    } else if (device) {
        put_log_size(ctx, device, REASON_LOG_SIZE_DEVICE);
    } else {
        put_log_size(ctx, ASSUMED_LOG_BYTES, REASON_LOG_SIZE_EXTERNAL);
        FINDING_ADD(&ctx->item->findings, FINDING_LOG_SIZE_ASSUMED,
                    ARG_NUMBER(ASSUMED_LOG_BYTES));
    }
}

void xa_rule_log_device(struct rule_context *ctx)
{
    const struct xfsa_request *request = ctx->request;
    struct finding_list *findings = &ctx->item->findings;
    if (!request->log_device) {
        if (request->log_size_bytes)
            size_log(ctx, request->log_size_bytes);
        return;
    }
    const char *by_id = ctx->log ? xa_settled_text(&ctx->log->top, ATTRIBUTE_BY_ID) : NULL;
    const char *device = xa_arena_strdup(ctx->arena, request->log_device);
    const char *lasting = by_id ? xa_arena_strdup(ctx->arena, by_id) : device;
    findings->failed |= !device || !lasting;
    xa_setting_put(ctx, SETTING_MKFS_LOG_LOGDEV, 0, device, REASON_LOG_EXTERNAL)->origin =
        ORIGIN_GIVEN;
    xa_setting_put(ctx, SETTING_MOUNT_LOGDEV, 0, lasting, REASON_LOG_EXTERNAL)->origin =
        ORIGIN_GIVEN;
    check_log_device(ctx, device);
    size_log(ctx, request->log_size_bytes);
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
