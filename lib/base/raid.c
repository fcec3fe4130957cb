// SPDX-License-Identifier: LGPL-2.1-or-later
// The arithmetic of RAID levels: which shapes can exist, and how many of their disks hold
// data. Knows nothing of XFS. The rules of RAID 10 are those of the kernel's raid10.
#include "base/raid.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

int xa_raid10_layout_parse(const char *text, struct raid_shape *shape)
{
    static const char letters[] = "nfo";
    const char *letter = *text ? strchr(letters, *text) : NULL;
    uint64_t copies = 0;
    if (!letter || xa_number_parse(text + 1, strlen(text + 1), &copies) || copies < 2 ||
        copies > 255)
        return -EINVAL;
    shape->pattern = (enum raid10_pattern)(letter - letters);
    shape->copies = (uint32_t)copies;
    return 0;
}

static uint64_t leg_disks(const struct raid_shape *shape)
{
    return shape->disks / shape->legs;
}

bool xa_raid_impossible(const struct raid_shape *shape, char why[RAID_WHY_MAX])
{
    const struct level_row *level = &xa_level_table[shape->level];
    uint64_t copies = shape->level == LEVEL_RAID10 ? shape->copies : 1;
    uint64_t least = level->min_disks > copies ? level->min_disks : copies;
    if (shape->legs > 1 && !level->legs)
        snprintf(why, RAID_WHY_MAX, "legs: %s has no legs", level->id);
    else if (shape->legs < 2 && level->legs && level->family == FAMILY_PARITY)
        snprintf(why, RAID_WHY_MAX, "legs: %s has at least 2 legs", level->id);
    else if (shape->disks % shape->legs)
        snprintf(why, RAID_WHY_MAX, "legs: %" PRIu64 " disks do not make %" PRIu64 " equal legs",
                 shape->disks, shape->legs);
    else if (leg_disks(shape) < least)
        snprintf(why, RAID_WHY_MAX, "disks: %s needs at least %" PRIu64 " disk%s%s, not %" PRIu64,
                 level->id, least, least > 1 ? "s" : "", shape->legs > 1 ? " in each leg" : "",
                 leg_disks(shape));
    else if (level->family == FAMILY_NONE && shape->disks > 1)
        snprintf(why, RAID_WHY_MAX, "disks: a single disk is one disk, not %" PRIu64,
                 shape->disks);
    else
        return false;
    return true;
}

static uint64_t mirror_stripe_data_disks(const struct raid_shape *shape)
{
    uint64_t disks = leg_disks(shape);
    if (shape->pattern != RAID10_NEAR || disks % shape->copies)
        return disks;
    return disks / shape->copies;
}

uint64_t xa_raid_data_disks(const struct raid_shape *shape)
{
    const struct level_row *level = &xa_level_table[shape->level];
    switch (level->family) {
    case FAMILY_STRIPE:
        return shape->disks;
    case FAMILY_PARITY:
        return (leg_disks(shape) - level->parity) * shape->legs;
    case FAMILY_MIRROR_STRIPE:
        return mirror_stripe_data_disks(shape) * shape->legs;
    default:
        return 1;
    }
}

uint64_t xa_raid_parity_disks(const struct raid_shape *shape)
{
    return xa_level_table[shape->level].parity * shape->legs;
}

uint64_t xa_raid_disks_for(const struct raid_shape *shape, uint64_t data_disks)
{
    const struct level_row *level = &xa_level_table[shape->level];
    if (level->family == FAMILY_PARITY)
        return data_disks + level->parity * shape->legs;
    if (level->family == FAMILY_MIRROR_STRIPE && shape->pattern == RAID10_NEAR)
        return data_disks * shape->copies;
    return level->family == FAMILY_MIRROR ? 2 : data_disks;
}

int xa_raid_capacity(const struct raid_shape *shape, uint64_t member_bytes, uint64_t chunk_bytes,
                     uint64_t *bytes)
{
    const struct level_row *level = &xa_level_table[shape->level];
    uint64_t unit = chunk_bytes ? chunk_bytes : 512;
    uint64_t units = member_bytes / unit, total;
    uint64_t disks = shape->disks, copies = 1;
    if (level->family == FAMILY_MIRROR)
        disks = 1;
    else if (level->family == FAMILY_PARITY)
        disks = xa_raid_data_disks(shape);
    else if (level->family == FAMILY_MIRROR_STRIPE)
        copies = shape->copies;
    if (__builtin_mul_overflow(units, disks, &total))
        return -ERANGE;
    total /= copies;
    if (__builtin_mul_overflow(total, unit, &total) || total > INT64_MAX)
        return -ERANGE;
    *bytes = total;
    return 0;
}
