// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: limits of the request queue and md's stripe cache. They are only ever raised, except
// to undo what a rejected hint did.
#include <stdio.h>
#include <string.h>

#include "advice/advice.h"

enum { PAGE_KIB = 4, LEAST_CACHE_PAGES = 256, MOST_CACHE_PAGES = 32768, NORMAL_AHEAD_KIB = 128,
       CHUNKS = 4, STREAMED_CHUNKS = 8 };
#define ASK_ABOVE_BYTES (UINT64_C(1) << 30)

/* Adds a line that writes value to a file below /sys/block/NAME. */
static void add_line(struct rule_context *ctx, const char *name, const char *attribute,
                     uint64_t value, uint64_t was, const char *match_key, const char *match)
{
    struct queue_line *line = xa_arena_alloc(ctx->arena, sizeof(*line));
    size_t room = strlen(name) + strlen(attribute) + sizeof("/sys/block//");
    char *path = xa_arena_alloc(ctx->arena, room);
    char *kept = match ? xa_arena_strdup(ctx->arena, match) : NULL;
    if (!line || !path || (match && !kept)) {
        ctx->item->findings.failed = true;
        return;
    }
    snprintf(path, room, "/sys/block/%s/%s", name, attribute);
    *line = (struct queue_line){.path = path, .attribute = attribute, .value = value, .was = was,
                                .match_key = match_key, .match = kept};
    struct queue_line **last = &ctx->item->queue;
    while (*last)
        last = &(*last)->next;
    *last = line;
}

static struct setting *put(struct rule_context *ctx, enum setting_id id, uint64_t number,
                           const struct fact *was, enum reason_id reason)
{
    struct setting *setting = xa_setting_put(ctx, id, number, NULL, reason);
    setting->emitted = false;
    setting->has_default = was != NULL;
    setting->default_number = was ? was->number : 0;
    return setting;
}

static uint64_t cache_pages(const struct rule_context *ctx)
{
    uint64_t chunk = ctx->item->geometry.stripe_unit_bytes / 1024 / PAGE_KIB;
    uint64_t writers = ctx->request->writers ? ctx->request->writers : 1;
    uint64_t pages = CHUNKS * chunk;
    if (ctx->workload->streams)
        pages = STREAMED_CHUNKS * chunk * writers;
    if (pages > MOST_CACHE_PAGES)
        pages = MOST_CACHE_PAGES;
    return pages > LEAST_CACHE_PAGES ? pages : LEAST_CACHE_PAGES;
}

static void stripe_cache(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    const struct fact *now = ctx->stack->base.fact[ATTRIBUTE_STRIPE_CACHE_PAGES];
    uint64_t needed = g->stripe_unit_bytes / 1024 / PAGE_KIB, pages = cache_pages(ctx);
    uint64_t bytes = pages * PAGE_KIB * 1024 * g->shape.disks;
    if (!now || !xa_geometry_parity(g))
        return;
    if (now->number < needed)
        FINDING_ADD(&ctx->item->findings, FINDING_STRIPE_CACHE_BELOW_CHUNK,
                    ARG_NUMBER(now->number), ARG_NUMBER(needed));
    if (pages <= now->number)
        pages = now->number;
    else
        add_line(ctx, ctx->stack->base.name, "md/stripe_cache_size", pages, now->number,
                 "MD_UUID", xa_stack_text(ctx->stack, ATTRIBUTE_MD_UUID));
    if (pages > now->number && bytes > ASK_ABOVE_BYTES)
        FINDING_ADD(&ctx->item->findings, FINDING_STRIPE_CACHE_MEMORY, ARG_NUMBER(bytes),
                    ARG_NUMBER(pages));
    struct setting *setting =
        put(ctx, SETTING_QUEUE_STRIPE_CACHE_SIZE, pages, now, REASON_STRIPE_CACHE);
    setting->reason_args[0].number = pages * PAGE_KIB * 1024 * g->shape.disks;
    setting->emitted = pages > now->number;
}

static void read_ahead(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    const struct fact *now = xa_stack_fact(ctx->stack, ATTRIBUTE_READ_AHEAD_KIB);
    uint64_t wanted = 2 * g->stripe_width_bytes / 1024;
    enum reason_id reason = REASON_READ_AHEAD;
    bool blown = now && !g->striped && g->hint == HINT_BOGUS && now->number > NORMAL_AHEAD_KIB &&
                 now->number >= g->io_opt_bytes / 1024;
    if (blown) {
        wanted = NORMAL_AHEAD_KIB;
        reason = REASON_READ_AHEAD_BACK;
    } else if (!now || !g->striped || !ctx->workload->streams || wanted <= now->number) {
        return;
    }
    const struct settled *base = &ctx->stack->base;
    const char *uuid = xa_stack_text(ctx->stack, ATTRIBUTE_MD_UUID);
    put(ctx, SETTING_QUEUE_READ_AHEAD_KB, wanted, now, reason)->emitted = true;
    add_line(ctx, base->name, "queue/read_ahead_kb", wanted, now->number,
             uuid ? "MD_UUID" : "ID_SERIAL",
             uuid ? uuid : xa_stack_text(ctx->stack, ATTRIBUTE_SERIAL));
}

/* Each member takes at least a chunk in one request. */
static void member_sectors(struct rule_context *ctx)
{
    uint64_t wanted = ctx->item->geometry.stripe_unit_bytes / 1024;
    struct setting *setting =
        put(ctx, SETTING_QUEUE_MAX_SECTORS_KB, wanted, NULL, REASON_MAX_SECTORS_MEMBER);
    for (size_t at = 0; at < ctx->stack->member_count; at++) {
        const struct member *member = &ctx->stack->members[at];
        if (!member->max_sectors || !member->max_hw_sectors ||
            member->max_sectors->number >= wanted || member->max_hw_sectors->number < wanted)
            continue;
        add_line(ctx, member->disk, "queue/max_sectors_kb", wanted, member->max_sectors->number,
                 "ID_SERIAL", member->serial);
        setting->emitted = true;
    }
}

/* A LUN takes a full stripe in one request, or as many chunks as the hardware allows. */
static void lun_sectors(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    const struct fact *now = xa_stack_fact(ctx->stack, ATTRIBUTE_MAX_SECTORS_KIB);
    const struct fact *most = xa_stack_fact(ctx->stack, ATTRIBUTE_MAX_HW_SECTORS_KIB);
    uint64_t wanted = g->stripe_width_bytes / 1024, chunk = g->stripe_unit_bytes / 1024;
    if (most && wanted > most->number)
        wanted = most->number / chunk * chunk;
    if (!now || !wanted)
        return;
    if (wanted > now->number)
        add_line(ctx, ctx->stack->base.name, "queue/max_sectors_kb", wanted, now->number,
                 "ID_SERIAL", xa_stack_text(ctx->stack, ATTRIBUTE_SERIAL));
    put(ctx, SETTING_QUEUE_MAX_SECTORS_KB, wanted, now, REASON_MAX_SECTORS_LUN)->emitted =
        wanted > now->number;
}

static void described_sectors(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    bool striped = g->known && g->striped && ctx->su_bytes;
    if (!g->known)
        return;
    put(ctx, SETTING_QUEUE_MAX_SECTORS_KB, g->stripe_width_bytes / 1024, NULL,
        striped ? REASON_MAX_SECTORS : REASON_MAX_SECTORS_NONE)->has_value = striped;
}

void xa_rule_queue(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    bool md = ctx->stack->kind && strcmp(ctx->stack->kind->id, "md") == 0;
    if (!ctx->stack->kind || !g->known || !g->striped) {
        described_sectors(ctx);
    } else if (md) {
        member_sectors(ctx);
        stripe_cache(ctx);
    } else {
        lun_sectors(ctx);
    }
    if (ctx->stack->kind && g->known && g->flux != FLUX_RESHAPING)
        read_ahead(ctx);
}
