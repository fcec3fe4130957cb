/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The arithmetic of RAID levels: which shapes can exist, and how many of their disks hold
 * data. Knows nothing of XFS.
 */
#pragma once

#include "base/tables.h"

enum raid10_pattern { RAID10_NEAR, RAID10_FAR, RAID10_OFFSET };

/* An array as one thing: level, disks of all legs together, legs. */
struct raid_shape {
    enum level_id level;
    enum raid10_pattern pattern; /* RAID 10 only */
    uint32_t copies;             /* RAID 10 only: of each chunk */
    uint64_t disks;
    uint64_t legs; /* 1 unless the level has several */
};

enum { RAID_WHY_MAX = 120 };

/* Reads "n2", "f2", "o3" into pattern and copies. Returns 0 or -EINVAL. */
int xa_raid10_layout_parse(const char *text, struct raid_shape *shape);

/* Says why the shape cannot exist, or returns false. */
bool xa_raid_impossible(const struct raid_shape *shape, char why[RAID_WHY_MAX]);

/*
 * Data disks over all legs, the number of chunks after which the pattern repeats. 1 where
 * there is no stripe.
 */
uint64_t xa_raid_data_disks(const struct raid_shape *shape);

/* Parity disks over all legs. */
uint64_t xa_raid_parity_disks(const struct raid_shape *shape);

/* Disks that hold this many data disks, the inverse of xa_raid_data_disks. */
uint64_t xa_raid_disks_for(const struct raid_shape *shape, uint64_t data_disks);

/*
 * Usable bytes of an array whose disks have member_bytes each; whole chunks when chunk_bytes
 * is not 0. Returns 0 or -ERANGE.
 */
int xa_raid_capacity(const struct raid_shape *shape, uint64_t member_bytes, uint64_t chunk_bytes,
                     uint64_t *bytes);
