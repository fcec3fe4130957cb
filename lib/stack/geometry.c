// SPDX-License-Identifier: LGPL-2.1-or-later
// What the storage is: chunk, data disks, width, legs, and where the file system starts in
// the stripe. Knows nothing of XFS.
#include "stack/geometry.h"

#include <string.h>

#include "base/lookup.h"

/* Room for a partition table and the common start of 1 MiB. */
enum { FIRST_START_BYTES = 1 << 20 };

static void miss(struct geometry *g, const char *what)
{
    if (g->missing_count < GEOMETRY_MISSING_MAX)
        g->missing[g->missing_count++] = what;
}

static void contradict(struct finding_list *findings, const char *why)
{
    FINDING_ADD(findings, FINDING_GEOMETRY_CONTRADICTION, ARG_TEXT(why));
}

static bool read_level(const struct settled *s, struct geometry *g, struct finding_list *findings)
{
    const char *level = xa_settled_text(s, ATTRIBUTE_LEVEL);
    const char *layout = xa_settled_text(s, ATTRIBUTE_LAYOUT);
    int row = level ? XA_LOOKUP(xa_level_table, level, strlen(level)) : -1;
    g->shape = (struct raid_shape){.pattern = RAID10_NEAR, .copies = 2, .legs = 1};
    if (row < 0) {
        miss(g, "level");
        if (level)
            contradict(findings, "the level is not one that is known");
        return !level;
    }
    g->level_known = true;
    g->shape.level = (enum level_id)row;
    g->source = s->fact[ATTRIBUTE_LEVEL]->source;
    if (row == LEVEL_RAID10 && layout && xa_raid10_layout_parse(layout, &g->shape)) {
        contradict(findings, "RAID 10 has no such layout");
        return false;
    }
    g->layout_known = layout != NULL;
    g->md_symmetric = layout && (strcmp(layout, "left-symmetric") == 0 ||
                                 strcmp(layout, "right-symmetric") == 0);
    return true;
}

static void read_numbers(const struct stack *stack, struct geometry *g)
{
    g->size_bytes = xa_settled_number(&stack->top, ATTRIBUTE_SIZE, 0);
    g->member_size_bytes = xa_settled_number(&stack->base, ATTRIBUTE_MEMBER_SIZE, 0);
    g->start_offset_bytes =
        stack->offset_bytes + xa_settled_number(&stack->top, ATTRIBUTE_START_OFFSET, 0);
    g->logical_sector_bytes = (uint32_t)xa_stack_number(stack, ATTRIBUTE_LOGICAL_SECTOR, 0);
    g->physical_sector_bytes =
        (uint32_t)xa_stack_number(stack, ATTRIBUTE_PHYSICAL_SECTOR, g->logical_sector_bytes);
    const struct fact *rotational = xa_stack_fact(stack, ATTRIBUTE_ROTATIONAL);
    g->rotational = rotational ? (int)rotational->number : -1;
    g->from_machine = stack->kind != NULL;
    g->io_min_bytes = xa_stack_number(stack, ATTRIBUTE_IO_MIN, 0);
    g->io_opt_bytes = xa_stack_number(stack, ATTRIBUTE_IO_OPT, 0);
    g->hint = xa_hint_worth(g->io_min_bytes, g->io_opt_bytes, g->physical_sector_bytes);
    g->discards = xa_stack_number(stack, ATTRIBUTE_DISCARD_MAX, 0) != 0;
    g->alignment_offset_bytes = xa_settled_number(&stack->top, ATTRIBUTE_ALIGNMENT_OFFSET, 0);
    g->alignment_inconsistent =
        xa_settled_number(&stack->top, ATTRIBUTE_ALIGNMENT_INCONSISTENT, 0) != 0;
}

static bool text_is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

static enum flux read_flux(const struct settled *base)
{
    const char *state = xa_settled_text(base, ATTRIBUTE_ARRAY_STATE);
    const char *action = xa_settled_text(base, ATTRIBUTE_SYNC_ACTION);
    const char *metadata = xa_settled_text(base, ATTRIBUTE_METADATA);
    if (text_is(state, "inactive") || text_is(state, "clear") || text_is(state, "broken"))
        return FLUX_INACTIVE;
    if (base->fact[ATTRIBUTE_RESHAPING] || base->fact[ATTRIBUTE_INTERIM_LAYOUT] ||
        text_is(action, "reshape") || text_is(metadata, "0.91"))
        return FLUX_RESHAPING;
    if (xa_settled_number(base, ATTRIBUTE_DEGRADED, 0))
        return FLUX_DEGRADED;
    return text_is(action, "resync") || text_is(action, "recover") ? FLUX_SYNCING : FLUX_STEADY;
}

/* A disk of a machine, which only its hints can say more about. */
static void read_hint(const struct stack *stack, struct geometry *g)
{
    bool trusted = stack->kind->hint == HINT_TRUST;
    g->level_known = !trusted;
    g->source = "sysfs";
    g->shape = (struct raid_shape){.level = LEVEL_NONE, .copies = 2, .disks = 1, .legs = 1};
    g->data_disks = 1;
    g->confidence = trusted ? CONFIDENCE_HINT : CONFIDENCE_FACT;
    if (stack->kind->hint != HINT_NEVER && g->hint == HINT_STRIPE) {
        g->confidence = CONFIDENCE_HINT;
        g->level_known = false;
        g->striped = true;
        g->stripe_unit_bytes = g->io_min_bytes;
        g->data_disks = g->io_opt_bytes / g->io_min_bytes;
        g->stripe_width_bytes = g->leg_stripe_width_bytes = g->io_opt_bytes;
    } else if (trusted) {
        g->data_disks = g->shape.disks = 0;
        if (g->hint == HINT_UNIT)
            g->stripe_unit_bytes = g->io_min_bytes;
        else
            miss(g, "chunk");
        miss(g, "data disks");
    }
}

/* Disks and legs; false when the shape cannot exist. */
static bool read_shape(const struct settled *s, struct geometry *g, struct finding_list *findings)
{
    const struct level_row *level = &xa_level_table[g->shape.level];
    char why[RAID_WHY_MAX];
    bool need_legs = level->legs && level->family == FAMILY_PARITY;
    uint64_t data = xa_settled_number(s, ATTRIBUTE_DATA_DISKS, 0);
    g->shape.legs = xa_settled_number(s, ATTRIBUTE_LEGS, 1);
    if (need_legs && !s->fact[ATTRIBUTE_LEGS])
        miss(g, "legs");
    g->shape.disks = xa_settled_number(s, ATTRIBUTE_DISKS, 0);
    if (!g->shape.disks && data)
        g->shape.disks = xa_raid_disks_for(&g->shape, data);
    else if (!g->shape.disks && !level->chunk)
        g->shape.disks = level->min_disks;
    if (!g->shape.disks)
        miss(g, "disks");
    if (g->missing_count) {
        if (level->chunk && !s->fact[ATTRIBUTE_CHUNK])
            miss(g, "chunk");
        return true;
    }
    if (xa_raid_impossible(&g->shape, why)) {
        contradict(findings, why);
        return false;
    }
    g->data_disks = data ? data : xa_raid_data_disks(&g->shape);
    g->parity_disks = xa_raid_parity_disks(&g->shape);
    if (s->fact[ATTRIBUTE_DISKS] && g->data_disks != xa_raid_data_disks(&g->shape)) {
        contradict(findings, "disks and data disks do not belong to one array");
        return false;
    }
    return true;
}

static void read_stripe(const struct settled *s, struct geometry *g)
{
    const struct level_row *level = &xa_level_table[g->shape.level];
    uint64_t chunk = xa_settled_number(s, ATTRIBUTE_CHUNK, 0);
    g->striped = level->chunk && g->data_disks > 1;
    if (!g->striped)
        return;
    if (!chunk) {
        miss(g, "chunk");
        return;
    }
    g->stripe_unit_bytes = chunk;
    g->stripe_width_bytes = chunk * g->data_disks;
    g->leg_stripe_width_bytes = g->stripe_width_bytes / g->shape.legs;
}

static void read_capacity(struct geometry *g, struct finding_list *findings)
{
    if (g->size_bytes || !g->member_size_bytes || g->missing_count)
        return;
    if (xa_raid_capacity(&g->shape, g->member_size_bytes, g->stripe_unit_bytes, &g->size_bytes))
        contradict(findings, "the disks together are larger than 8 EiB");
    else if (g->size_bytes <= g->start_offset_bytes)
        contradict(findings, "the offset lies behind the end of the array");
    else
        g->size_bytes -= g->start_offset_bytes;
}

static void read_start(struct geometry *g)
{
    uint64_t width = g->stripe_width_bytes, offset = g->start_offset_bytes;
    if (!g->striped) {
        g->start = START_FULL_STRIPE;
        return;
    }
    g->partition_alignment_bytes = width;
    g->right_start_sectors = (FIRST_START_BYTES + width - 1) / width * width / 512;
    if (offset % g->stripe_unit_bytes)
        g->start = START_MISALIGNED;
    else
        g->start = offset % width ? START_STRIPE_UNIT : START_FULL_STRIPE;
}

static bool read_array(const struct settled *base, struct geometry *g,
                       struct finding_list *findings)
{
    if (!read_level(base, g, findings) || g->missing_count || !read_shape(base, g, findings) ||
        g->missing_count)
        return false;
    read_stripe(base, g);
    return g->missing_count == 0;
}

void xa_geometry_resolve(const struct stack *stack, struct geometry *g,
                         struct finding_list *findings)
{
    bool disk = stack->kind && !stack->base.fact[ATTRIBUTE_LEVEL];
    *g = (struct geometry){.start = START_UNKNOWN, .confidence = CONFIDENCE_USER};
    read_numbers(stack, g);
    g->flux = read_flux(&stack->base);
    if (stack->unresolved) {
        FINDING_ADD(findings, FINDING_NESTED_NOT_RESOLVED, ARG_TEXT(stack->unresolved));
        return;
    }
    if (stack->base.fact[ATTRIBUTE_CONTAINER] || g->flux == FLUX_INACTIVE)
        return;
    if (disk)
        read_hint(stack, g);
    else if (!read_array(&stack->base, g, findings))
        return;
    if (g->missing_count)
        return;
    if (stack->kind && !disk)
        g->confidence = CONFIDENCE_FACT;
    g->known = true;
    read_capacity(g, findings);
    read_start(g);
}

bool xa_geometry_parity(const struct geometry *geometry)
{
    return xa_level_table[geometry->shape.level].family == FAMILY_PARITY;
}

bool xa_geometry_sector_assumed(const struct geometry *geometry)
{
    return geometry->known && geometry->physical_sector_bytes == 0;
}

bool xa_geometry_layout_assumed(const struct geometry *geometry)
{
    return geometry->known && geometry->level_known && geometry->shape.level == LEVEL_RAID10 &&
           !geometry->layout_known;
}
