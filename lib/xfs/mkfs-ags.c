// SPDX-License-Identifier: LGPL-2.1-or-later
// Model of mkfs.xfs: how many allocation groups of which size.
#include <stddef.h>

#include "xfs/mkfs-run.h"

enum { MOST_AGS = 0x7fffffff };

static uint64_t ceiling(uint64_t number, uint64_t by)
{
    return number / by + (number % by != 0);
}

/* The AG size by the storage: few AGs on one disk, many on a stripe. */
static uint64_t size_by_storage(const struct mkfs_run *run)
{
    uint64_t blocks = run->out->blocks, bytes = blocks << run->block_log;
    uint64_t most = xa_mkfs_ag_max_blocks(run->out->block_bytes);
    bool stripe = run->out->stripe_unit_blocks != 0;
    unsigned shift = 5;
    if (bytes >= 32 * TIB_BYTES || (!stripe && bytes >= 4 * TIB_BYTES))
        return most;
    if (!stripe && bytes >= 128 * MIB_BYTES) {
        shift = 2;
    } else {
        shift -= bytes <= 512 * GIB_BYTES;
        shift -= bytes <= 8 * GIB_BYTES;
        shift -= bytes < 128 * MIB_BYTES;
        shift -= bytes < 64 * MIB_BYTES;
        shift -= bytes < 32 * MIB_BYTES;
    }
    uint64_t size = blocks >> shift;
    if (blocks & ((UINT64_C(1) << shift) - 1))
        size += size < most;
    return size;
}

/* The AG size by the CPUs, on storage that does not rotate; by_storage where that is finer. */
static uint64_t size_by_cpus(const struct mkfs_run *run, uint64_t by_storage)
{
    uint64_t blocks = run->out->blocks;
    uint64_t least = (4 * GIB_BYTES) >> run->block_log;
    uint64_t most = xa_mkfs_ag_max_blocks(run->out->block_bytes);
    uint64_t own_count = ceiling(blocks, by_storage), count = run->env->cpus;
    if (count < own_count || count == 0)
        return by_storage;
    uint64_t size = blocks / count;
    if (size < least) {
        while (size < least && count > own_count)
            size = blocks / --count;
        return count <= own_count ? by_storage : size;
    }
    while (size > most && size > by_storage) {
        count += run->env->cpus;
        size = blocks / count;
    }
    return size;
}

static bool initial_size(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    const struct mkfs_value *size = run_value(run, SETTING_MKFS_DATA_AGSIZE);
    const struct mkfs_value *count = run_value(run, SETTING_MKFS_DATA_AGCOUNT);
    if (!xa_mkfs_value_fits(run, SETTING_MKFS_DATA_AGSIZE))
        return false;
    if (size->given && size->number % out->block_bytes)
        return SAY(run, MESSAGE_AGSIZE_NOT_BLOCKS, SAY_NUMBER(size->number),
                   SAY_NUMBER(out->block_bytes));
    if (size->given) {
        out->ag_blocks = size->number >> run->block_log;
    } else if (count->given) {
        out->ag_blocks = ceiling(out->blocks, count->number);
        out->ag_count = count->number;
        return true;
    } else {
        out->ag_blocks = size_by_storage(run);
        if (run->profile->behaviour[PROGS_CONCURRENCY] && !run->env->rotational)
            out->ag_blocks = size_by_cpus(run, out->ag_blocks);
    }
    out->ag_count = ceiling(out->blocks, out->ag_blocks);
    return true;
}

/* AGs are whole stripe units. An agcount of the line stays as it is. */
static void round_to_unit(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    uint64_t unit = out->stripe_unit_blocks;
    if (out->ag_blocks % unit == 0)
        return;
    uint64_t rounded = ceiling(out->ag_blocks, unit) * unit;
    if (rounded > xa_mkfs_ag_max_blocks(out->block_bytes))
        rounded = out->ag_blocks / unit * unit;
    out->ag_blocks = rounded;
    if (!run_value(run, SETTING_MKFS_DATA_AGCOUNT)->given)
        out->ag_count = rounded ? ceiling(out->blocks, rounded) : 0;
    if (run_value(run, SETTING_MKFS_DATA_AGSIZE)->given)
        SAY(run, MESSAGE_AGSIZE_ROUNDED, SAY_NUMBER(rounded), SAY_NUMBER(unit));
}

/* AGs are no whole stripes, or all their headers land on one disk. */
static void avoid_width(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    uint64_t unit = out->stripe_unit_blocks, size = out->ag_blocks;
    if (size % out->stripe_width_blocks || out->stripe_width_blocks == unit || out->ag_count <= 1)
        return;
    if (run_value(run, SETTING_MKFS_DATA_AGCOUNT)->given ||
        run_value(run, SETTING_MKFS_DATA_AGSIZE)->given) {
        SAY(run, MESSAGE_AGSIZE_MULTIPLE_OF_WIDTH, SAY_NUMBER(size - unit));
        return;
    }
    uint64_t smaller = size - unit;
    if (size < unit || smaller < xa_mkfs_ag_min_blocks(out->block_bytes)) {
        smaller = size + unit;
        if (out->blocks < size)
            smaller = size;
    }
    out->ag_blocks = smaller;
    out->ag_count = ceiling(out->blocks, smaller);
}

/* A last AG below 16 MiB is left out. */
static void drop_small_last(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    uint64_t rest = out->blocks % out->ag_blocks;
    if (rest == 0 || rest >= xa_mkfs_ag_min_blocks(out->block_bytes))
        return;
    out->blocks = (out->ag_count - 1) * out->ag_blocks;
    out->ag_count--;
}

static bool valid(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    uint64_t least = xa_mkfs_ag_min_blocks(out->block_bytes);
    uint64_t most = xa_mkfs_ag_max_blocks(out->block_bytes);
    if (out->ag_blocks < least)
        return SAY(run, MESSAGE_AGSIZE_TOO_SMALL, SAY_NUMBER(out->ag_blocks), SAY_NUMBER(least));
    if (out->ag_blocks > most)
        return SAY(run, MESSAGE_AGSIZE_TOO_BIG, SAY_NUMBER(out->ag_blocks), SAY_NUMBER(most));
    if (out->ag_blocks > out->blocks)
        return SAY(run, MESSAGE_AGSIZE_ABOVE_DATA, SAY_NUMBER(out->ag_blocks),
                   SAY_NUMBER(out->blocks));
    if (out->ag_count > MOST_AGS)
        return SAY(run, MESSAGE_TOO_MANY_AGS, SAY_NUMBER(out->ag_count), SAY_NUMBER(MOST_AGS));
    out->real_run_fails = out->ag_count != ceiling(out->blocks, out->ag_blocks);
    return true;
}

bool xa_mkfs_step_ags(struct mkfs_run *run)
{
    if (!initial_size(run))
        return false;
    if (run->out->stripe_unit_blocks) {
        round_to_unit(run);
        if (run->out->ag_blocks)
            avoid_width(run);
    }
    if (run->out->ag_blocks)
        drop_small_last(run);
    return valid(run);
}
