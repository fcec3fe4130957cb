// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: mount options, and spelling out what the line leaves to mkfs.xfs.
#include "advice/advice.h"

#define LARGE_FILE_BYTES (UINT64_C(1) << 30)
#define ALLOCSIZE_BYTES (UINT64_C(1) << 30)

static void allocsize(struct rule_context *ctx)
{
    const struct xfsa_request *request = ctx->request;
    struct setting *setting =
        xa_setting_put(ctx, SETTING_MOUNT_ALLOCSIZE, ALLOCSIZE_BYTES, NULL, REASON_ALLOCSIZE);
    setting->reason_args[0].number = request->writers;
    if (ctx->workload->streams && request->writers >= 2 &&
        request->file_size_bytes >= LARGE_FILE_BYTES)
        return;
    *setting = (struct setting){.present = true, .origin = ORIGIN_DEFAULT,
                                .reason = REASON_ALLOCSIZE_NONE};
}

void xa_rule_mount(struct rule_context *ctx)
{
    const struct target *target = &ctx->item->target;
    if (target->kernel_known && !target->kernel_profile.behaviour[KERNEL_INODE64_DEFAULT])
        xa_setting_put(ctx, SETTING_MOUNT_INODE64, 1, NULL, REASON_INODE64);
    if (ctx->workload->noatime)
        xa_setting_put(ctx, SETTING_MOUNT_NOATIME, 1, NULL, REASON_NOATIME);
    if (ctx->workload->logbsize_bytes)
        xa_setting_put(ctx, SETTING_MOUNT_LOGBSIZE, ctx->workload->logbsize_bytes, NULL,
                       REASON_LOGBSIZE);
    allocsize(ctx);
}

static void spell(struct rule_context *ctx, enum setting_id id, uint64_t number)
{
    if (ctx->item->setting[id].emitted)
        return;
    enum reason_id reason = ctx->item->setting[id].present ? ctx->item->setting[id].reason
                                                           : REASON_OWN;
    struct setting *setting = xa_setting_put(ctx, id, number, NULL, reason);
    setting->origin = ORIGIN_DEFAULT;
    setting->has_default = true;
    setting->default_number = number;
}

void xa_rule_spell_out(struct rule_context *ctx)
{
    const struct mkfs_outcome *out = &ctx->item->outcome;
    if (!ctx->request->full || !ctx->item->predicted)
        return;
    spell(ctx, SETTING_MKFS_BLOCK_SIZE, out->block_bytes);
    spell(ctx, SETTING_MKFS_SECTOR_SIZE, out->sector_bytes);
    spell(ctx, SETTING_MKFS_DATA_AGSIZE, out->ag_blocks * out->block_bytes);
    spell(ctx, SETTING_MKFS_LOG_SIZE, out->log_blocks * out->block_bytes);
    ctx->item->setting[SETTING_MKFS_DATA_SU].emitted = ctx->su_bytes != 0;
    ctx->item->setting[SETTING_MKFS_DATA_SW].emitted = ctx->su_bytes != 0;
    if (!out->stripe_unit_blocks)
        spell(ctx, SETTING_MKFS_DATA_NOALIGN, 1);
    if (out->log_stripe_unit_bytes)
        spell(ctx, SETTING_MKFS_LOG_SU, out->log_stripe_unit_bytes);
    for (unsigned at = 0; at < FEATURE_ROWS; at++) {
        if (ctx->item->target.profile.feature[at] >= 0)
            spell(ctx, xa_feature_table[at].setting, out->feature[at]);
    }
    xa_predict(ctx, &ctx->item->outcome);
}
