// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: when mkfs.xfs's own choice of allocation groups is not the right one.
// An AG size is given, never a count: a count that rounding makes impossible fails half-way.
#include "advice/advice.h"

enum { MOST_PARTS = 64, SPREAD_TRIES = 64, NORMAL_AGS = 256, NORMAL_FACTOR = 4, LEAST_AG_GIB = 4 };

/* Sizes in blocks. */
struct ag_frame {
    uint64_t blocks;
    uint64_t unit, width; /* of the stripe; 1 and 0 without one */
    uint64_t least, most;
};

static uint64_t ceiling(uint64_t number, uint64_t by)
{
    return number / by + (number % by != 0);
}

static struct ag_frame frame_of(const struct rule_context *ctx)
{
    return (struct ag_frame){
        .blocks = ctx->item->geometry.size_bytes / ctx->block_bytes,
        .unit = ctx->su_bytes ? ctx->su_bytes / ctx->block_bytes : 1,
        .width = ctx->su_bytes * ctx->sw / ctx->block_bytes,
        .least = xa_mkfs_ag_min_blocks(ctx->block_bytes),
        .most = xa_mkfs_ag_max_blocks(ctx->block_bytes),
    };
}

/* All AGs of such a size start on one disk, and mkfs.xfs warns. */
static bool is_width_multiple(const struct ag_frame *f, uint64_t size)
{
    return f->width && f->width != f->unit && size % f->width == 0;
}

/* The next size that is whole stripe units and no whole stripe. */
static uint64_t round_up(const struct ag_frame *f, uint64_t size)
{
    size = ceiling(size, f->unit) * f->unit;
    if (size > f->most)
        size = f->most / f->unit * f->unit;
    if (is_width_multiple(f, size))
        size = size + f->unit <= f->most && size + f->unit <= f->blocks ? size + f->unit
                                                                        : size - f->unit;
    return size;
}

static uint64_t round_down(const struct ag_frame *f, uint64_t size)
{
    size = size / f->unit * f->unit;
    return is_width_multiple(f, size) ? size - f->unit : size;
}

static uint64_t greatest_common(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* With su = full stripe: a size whose count of stripes shares no factor with the disks. */
static uint64_t spread_headers(const struct ag_frame *f, uint64_t size, uint64_t disks)
{
    uint64_t stripes = size / f->unit, count = ceiling(f->blocks, size);
    for (uint64_t more = 0; more < SPREAD_TRIES; more++) {
        uint64_t tried = (stripes + more) * f->unit;
        if (tried > f->most || ceiling(f->blocks, tried) != count)
            break;
        if (greatest_common(stripes + more, disks) == 1)
            return tried;
    }
    for (uint64_t less = 1; less < SPREAD_TRIES && less < stripes; less++) {
        if (greatest_common(stripes - less, disks) == 1)
            return (stripes - less) * f->unit;
    }
    return size;
}

static void put_size(struct rule_context *ctx, uint64_t blocks, const struct mkfs_outcome *own,
                     enum reason_id reason)
{
    struct setting *setting = xa_setting_put(ctx, SETTING_MKFS_DATA_AGSIZE,
                                             blocks * ctx->block_bytes, NULL, reason);
    setting->has_default = own->status == 0;
    setting->default_number = own->ag_blocks * ctx->block_bytes;
}

static void report_many(struct rule_context *ctx, const struct ag_frame *f, uint64_t size,
                        const struct mkfs_outcome *own)
{
    uint64_t count = ceiling(f->blocks, size), normal = NORMAL_FACTOR * own->ag_count;
    if (normal < NORMAL_AGS)
        normal = NORMAL_AGS;
    if (own->status == 0 && count > normal && count > ctx->request->writers)
        FINDING_ADD(&ctx->item->findings, FINDING_AG_COUNT_TOO_HIGH, ARG_NUMBER(count),
                    ARG_NUMBER(own->ag_count));
}

/* What the user fixed, made possible. */
static void asked(struct rule_context *ctx, const struct ag_frame *f,
                  const struct mkfs_outcome *own)
{
    const struct xfsa_request *request = ctx->request;
    struct finding_list *findings = &ctx->item->findings;
    uint64_t wanted = request->agsize_bytes ? ceiling(request->agsize_bytes, ctx->block_bytes)
                                            : ceiling(f->blocks, request->agcount);
    uint64_t size = wanted < f->least || wanted > f->most ? wanted : round_up(f, wanted);
    if (size < f->least || size > f->most || ceiling(f->blocks, size) < 2) {
        FINDING_ADD(findings, FINDING_AG_IMPOSSIBLE, ARG_NUMBER(size * ctx->block_bytes));
        ctx->item->line_known = false;
        return;
    }
    put_size(ctx, size, own, REASON_AG_ASKED);
    ctx->item->setting[SETTING_MKFS_DATA_AGSIZE].origin = ORIGIN_GIVEN;
    if (request->agsize_bytes && size * ctx->block_bytes != request->agsize_bytes)
        FINDING_ADD(findings, FINDING_AG_SIZE_ADJUSTED, ARG_NUMBER(request->agsize_bytes),
                    ARG_NUMBER(size * ctx->block_bytes));
    else if (request->agcount && ceiling(f->blocks, size) != request->agcount)
        FINDING_ADD(findings, FINDING_AG_COUNT_ADJUSTED, ARG_NUMBER(request->agcount),
                    ARG_NUMBER(ceiling(f->blocks, size)));
    report_many(ctx, f, size, own);
}

/* What we fix by ourselves is never smaller. */
static uint64_t least_own_size(const struct rule_context *ctx)
{
    return ((uint64_t)LEAST_AG_GIB << 30) / ctx->block_bytes;
}

/* AGs that end where a disk of the concatenation ends; 0: there is no such size. */
static uint64_t size_for_members(const struct rule_context *ctx, const struct ag_frame *f,
                                 uint64_t least_count)
{
    const struct geometry *g = &ctx->item->geometry;
    if (!g->member_size_bytes || g->start_offset_bytes || g->member_size_bytes % ctx->block_bytes)
        return 0;
    uint64_t member = g->member_size_bytes / ctx->block_bytes;
    uint64_t floor = least_own_size(ctx);
    for (uint64_t parts = 1; parts <= MOST_PARTS; parts++) {
        uint64_t size = member / parts;
        bool fits = member % parts == 0 && size >= floor && size <= f->most;
        if (fits && parts * g->shape.disks >= least_count)
            return size;
    }
    return 0;
}

static void concatenated(struct rule_context *ctx, const struct ag_frame *f,
                         const struct mkfs_outcome *own)
{
    const struct geometry *g = &ctx->item->geometry;
    uint64_t least_count = own->ag_count;
    if (ctx->request->writers > least_count)
        least_count = ctx->request->writers;
    uint64_t size = size_for_members(ctx, f, least_count);
    if (!size) {
        FINDING_ADD(&ctx->item->findings, FINDING_CONCAT_SIZE_UNKNOWN, ARG_NUMBER(0));
        return;
    }
    put_size(ctx, size, own, REASON_AG_CONCAT);
    struct setting *setting = &ctx->item->setting[SETTING_MKFS_DATA_AGSIZE];
    setting->reason_args[0].number = g->member_size_bytes / ctx->block_bytes / size;
    setting->reason_args[1].number = g->shape.disks;
    setting->emitted = size != own->ag_blocks;
}

static uint64_t size_for_writers(struct rule_context *ctx, const struct ag_frame *f,
                                 const struct mkfs_outcome *own)
{
    uint64_t writers = ctx->request->writers;
    uint64_t floor = least_own_size(ctx);
    if (writers <= own->ag_count)
        return own->ag_blocks;
    if (ctx->item->geometry.rotational != 0) {
        FINDING_ADD(&ctx->item->findings, FINDING_WRITERS_ROTATIONAL, ARG_NUMBER(writers),
                    ARG_NUMBER(own->ag_count));
        return own->ag_blocks;
    }
    uint64_t size = round_down(f, f->blocks / writers);
    if (size < floor)
        size = round_up(f, floor);
    return size < own->ag_blocks ? size : own->ag_blocks;
}

void xa_rule_ags(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    struct mkfs_outcome own;
    if (!ctx->item->line_known || !ctx->item->target.profile_known)
        return;
    bool fixed = ctx->request->agcount || ctx->request->agsize_bytes;
    bool concat = g->shape.level == LEVEL_LINEAR && g->shape.disks > 1;
    if (!fixed && !concat && !ctx->request->writers && !ctx->full_stripe_unit)
        return;
    struct ag_frame f = frame_of(ctx);
    xa_predict(ctx, &own);
    if (fixed) {
        asked(ctx, &f, &own);
        return;
    }
    if (own.status)
        return;
    if (concat) {
        concatenated(ctx, &f, &own);
        return;
    }
    uint64_t size = size_for_writers(ctx, &f, &own);
    enum reason_id reason = size == own.ag_blocks ? REASON_AG_SPREAD : REASON_AG_WRITERS;
    if (ctx->full_stripe_unit)
        size = spread_headers(&f, size, g->shape.disks);
    if (size == own.ag_blocks)
        return;
    put_size(ctx, size, &own, reason);
    ctx->item->setting[SETTING_MKFS_DATA_AGSIZE].reason_args[0].number = ctx->request->writers;
}
