/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the storage is: chunk, data disks, width, legs, and where the file system starts in
 * the stripe. Knows nothing of XFS.
 */
#pragma once

#include "base/raid.h"
#include "stack/hint.h"
#include "stack/stack.h"

enum start { START_UNKNOWN, START_FULL_STRIPE, START_STRIPE_UNIT, START_MISALIGNED };
enum confidence { CONFIDENCE_FACT, CONFIDENCE_HINT, CONFIDENCE_USER };

enum flux { FLUX_STEADY, FLUX_DEGRADED, FLUX_SYNCING, FLUX_RESHAPING, FLUX_INACTIVE };

enum { GEOMETRY_MISSING_MAX = 6 };

struct geometry {
    bool known;   /* false: see missing */
    bool striped; /* false while known: no stripe is right */
    bool level_known;
    bool from_machine; /* of a device that was read, not of a description */
    enum flux flux;
    enum hint_worth hint; /* what the kernel's hints are worth by themselves */
    uint64_t io_min_bytes, io_opt_bytes;
    bool discards; /* takes discards */
    uint64_t alignment_offset_bytes;
    bool alignment_inconsistent; /* sysfs shows -1 */
    bool layout_known;
    bool md_symmetric; /* parity laid out so that a full stripe is whole rows */
    struct raid_shape shape;
    uint64_t stripe_unit_bytes; /* chunk or strip of one disk; 0 without a stripe */
    uint64_t data_disks;        /* over all legs */
    uint64_t parity_disks;      /* over all legs */
    uint64_t stripe_width_bytes;
    uint64_t leg_stripe_width_bytes;
    uint64_t start_offset_bytes;
    enum start start;
    uint64_t partition_alignment_bytes; /* starts at a multiple of this are right; 0: any */
    uint64_t right_start_sectors;       /* the first right start that leaves room for a label */
    enum confidence confidence;
    const char *source; /* of the level */
    uint64_t size_bytes;        /* 0: not known */
    uint64_t member_size_bytes; /* 0: not known */
    uint32_t logical_sector_bytes, physical_sector_bytes;
    int rotational; /* 1, 0 or -1: not known */
    const char *missing[GEOMETRY_MISSING_MAX];
    unsigned missing_count;
};

/* Resolves a stack. What contradicts itself becomes a finding and leaves known false. */
void xa_geometry_resolve(const struct stack *stack, struct geometry *geometry,
                         struct finding_list *findings);

/* What the description left open and was assumed. */
bool xa_geometry_sector_assumed(const struct geometry *geometry); /* 512 bytes */
bool xa_geometry_layout_assumed(const struct geometry *geometry); /* RAID 10 near-2 */

/* True for a level with parity, where a partial stripe needs reading. */
bool xa_geometry_parity(const struct geometry *geometry);
