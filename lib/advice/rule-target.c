// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: the machine where the lines will run, what the device must be, and options that are
// passed on as they were asked for.
#include <string.h>

#include "advice/advice.h"

enum { PAGE_BYTES = 4096, ASSUMED_CPUS = 1, LEAST_SIZE_MIB = 300 };

/* A copy of a request's text, which the advice outlives. */
static const char *keep(struct rule_context *ctx, const char *text)
{
    const char *copy = xa_arena_strdup(ctx->arena, text);
    ctx->item->findings.failed |= !copy;
    return copy;
}

static void set_xfsprogs(struct rule_context *ctx)
{
    struct target *target = &ctx->item->target;
    const struct target_fact *asked = &ctx->request->xfsprogs;
    struct finding_list *findings = &ctx->item->findings;
    uint32_t version = PROGS_ASSUMED;
    target->xfsprogs = PROGS_ASSUMED_TEXT;
    if (asked->text) {
        version = (uint32_t)asked->number;
        target->xfsprogs = keep(ctx, asked->text);
        target->xfsprogs_origin = asked->origin;
    } else {
        FINDING_ADD(findings, FINDING_ASSUMED, ARG_TEXT(PROGS_ASSUMED_TEXT));
    }
    target->profile_known = xa_mkfs_profile(version, &target->profile);
    if (!target->profile_known)
        FINDING_ADD(findings, FINDING_XFSPROGS_UNKNOWN, ARG_TEXT(target->xfsprogs),
                    ARG_TEXT(PROGS_FIRST_TEXT), ARG_TEXT(PROGS_LAST_TEXT));
}

static void set_kernel(struct rule_context *ctx)
{
    struct target *target = &ctx->item->target;
    const struct target_fact *asked = &ctx->request->kernel;
    if (!asked->text) {
        FINDING_ADD(&ctx->item->findings, FINDING_KERNEL_UNKNOWN, ARG_NUMBER(0));
        return;
    }
    target->kernel_known = true;
    target->kernel = keep(ctx, asked->text);
    target->kernel_origin = asked->origin;
    target->kernel_version = (uint32_t)asked->number;
    xa_kernel_profile(target->kernel_version, &target->kernel_profile);
    if (!target->kernel_profile.behaviour[KERNEL_V5])
        FINDING_ADD(&ctx->item->findings, FINDING_KERNEL_TOO_OLD, ARG_TEXT(target->kernel));
    if (ctx->block_bytes > PAGE_BYTES &&
        !target->kernel_profile.behaviour[KERNEL_BLOCK_ABOVE_PAGE])
        FINDING_ADD(&ctx->item->findings, FINDING_BLOCK_ABOVE_PAGE, ARG_NUMBER(ctx->block_bytes),
                    ARG_TEXT(target->kernel));
}

static void set_cpus(struct rule_context *ctx)
{
    struct target *target = &ctx->item->target;
    const struct target_fact *asked = &ctx->request->cpus;
    bool counted = target->profile.behaviour[PROGS_CONCURRENCY] && target->profile_known;
    target->cpus = asked->text ? (uint32_t)asked->number : ASSUMED_CPUS;
    target->cpus_origin = asked->origin;
    if (counted && ctx->item->geometry.rotational < 0)
        FINDING_ADD(&ctx->item->findings, FINDING_ROTATIONAL_ASSUMED, ARG_NUMBER(0));
    else if (counted && ctx->item->geometry.rotational == 0 && !asked->text)
        FINDING_ADD(&ctx->item->findings, FINDING_CPUS_ASSUMED, ARG_NUMBER(target->cpus));
}

void xa_rule_target(struct rule_context *ctx)
{
    const struct geometry *geometry = &ctx->item->geometry;
    const struct xfsa_request *request = ctx->request;
    ctx->block_bytes = request->block_size_bytes ? (uint32_t)request->block_size_bytes : 4096;
    set_xfsprogs(ctx);
    set_kernel(ctx);
    set_cpus(ctx);
    ctx->env = (struct mkfs_environment){
        .size_bytes = geometry->size_bytes,
        .logical_sector_bytes = geometry->logical_sector_bytes,
        .physical_sector_bytes = geometry->physical_sector_bytes,
        .io_min_bytes = geometry->io_min_bytes,
        .io_opt_bytes = geometry->io_opt_bytes,
        .misaligned = geometry->alignment_offset_bytes != 0,
        .discards = geometry->discards,
        .rotational = geometry->rotational != 0,
        .cpus = ctx->item->target.cpus,
    };
}

/* "level, disks and size" */
static void join(const struct geometry *geometry, bool size_missing, struct buf *text)
{
    unsigned count = geometry->missing_count + size_missing;
    for (unsigned at = 0; at < count; at++) {
        if (at)
            xa_buf_puts(text, at + 1 == count ? " and " : ", ");
        xa_buf_puts(text, at < geometry->missing_count ? geometry->missing[at] : "size");
    }
}

void xa_rule_size(struct rule_context *ctx)
{
    struct geometry *geometry = &ctx->item->geometry;
    struct finding_list *findings = &ctx->item->findings;
    bool size_missing = geometry->size_bytes == 0 && geometry->missing_count < GEOMETRY_MISSING_MAX;
    bool in_sight = !ctx->stack->unresolved && !ctx->stack->base.fact[ATTRIBUTE_CONTAINER] &&
                    geometry->flux != FLUX_INACTIVE;
    ctx->item->line_known = geometry->known && !size_missing;
    if (!in_sight)
        return;
    if (geometry->missing_count || size_missing) {
        struct buf text = {0};
        join(geometry, size_missing, &text);
        char *missing = xa_buf_take(&text);
        FINDING_ADD(findings, FINDING_FACTS_MISSING, ARG_TEXT(missing));
        findings->failed |= !missing;
        xa_buf_free(&(struct buf){.text = missing});
        if (size_missing)
            geometry->missing[geometry->missing_count++] = "size";
    } else if (geometry->size_bytes < (uint64_t)LEAST_SIZE_MIB << 20) {
        FINDING_ADD(findings, FINDING_TOO_SMALL, ARG_NUMBER(geometry->size_bytes));
    }
}

static void pass_text(struct rule_context *ctx, enum setting_id id, const char *text)
{
    if (text)
        xa_setting_put(ctx, id, 0, keep(ctx, text), REASON_ASKED)->origin = ORIGIN_GIVEN;
}

static void pass_number(struct rule_context *ctx, enum setting_id id, uint64_t number,
                        uint64_t default_number)
{
    if (!number)
        return;
    struct setting *setting = xa_setting_put(ctx, id, number, NULL, REASON_ASKED);
    setting->origin = ORIGIN_GIVEN;
    setting->has_default = true;
    setting->default_number = default_number;
    setting->emitted = number != default_number;
}

static void set_sector(struct rule_context *ctx)
{
    uint32_t logical = ctx->env.logical_sector_bytes, physical = ctx->env.physical_sector_bytes;
    if (ctx->request->sector_size_bytes) {
        pass_number(ctx, SETTING_MKFS_SECTOR_SIZE, ctx->request->sector_size_bytes, physical);
    } else if (physical > 512 && !ctx->item->geometry.from_machine) {
        uint32_t sector = physical > ctx->block_bytes ? logical : physical;
        struct setting *setting =
            xa_setting_put(ctx, SETTING_MKFS_SECTOR_SIZE, sector, NULL,
                           sector == physical ? REASON_SECTOR_4K : REASON_SECTOR_LOGICAL);
        setting->has_default = true;
        setting->default_number = 512;
    }
}

void xa_rule_options(struct rule_context *ctx)
{
    const struct xfsa_request *request = ctx->request;
    pass_number(ctx, SETTING_MKFS_BLOCK_SIZE, request->block_size_bytes, 4096);
    pass_number(ctx, SETTING_MKFS_FORCE, request->overwrite, 0);
    pass_number(ctx, SETTING_MKFS_DISCARD, request->no_discard, 0);
    pass_text(ctx, SETTING_MKFS_LABEL, request->label);
    pass_text(ctx, SETTING_MKFS_META_UUID, request->uuid);
    set_sector(ctx);
    if (request->mountpoint)
        ctx->item->mountpoint = keep(ctx, request->mountpoint);
}

void xa_rule_features(struct rule_context *ctx)
{
    const struct target *target = &ctx->item->target;
    for (unsigned at = 0; at < FEATURE_ROWS; at++) {
        const struct feature_row *row = &xa_feature_table[at];
        bool on = target->profile_known && target->profile.feature[at] == 1;
        if (!on || !target->kernel_known || target->kernel_version >= row->kernel_since)
            continue;
        struct setting *setting = xa_setting_put(ctx, row->setting, 0, NULL, REASON_FEATURE_OFF);
        setting->has_default = true;
        setting->default_number = 1;
        setting->reason_args[0].text = target->kernel;
        setting->reason_args[1].text = row->kernel_text;
    }
}
