// SPDX-License-Identifier: LGPL-2.1-or-later
// Model of mkfs.xfs: size and place of the log.
#include <stddef.h>

#include "xfs/mkfs-run.h"

enum { LEAST_LOG_BLOCKS = 512, MOST_LOG_BLOCKS = 1048576 };
#define LEAST_LOG_BYTES (10 * MIB_BYTES)
#define MOST_LOG_BYTES (2 * GIB_BYTES - 10 * MIB_BYTES)

static bool size_given(const struct mkfs_run *run)
{
    return run_value(run, SETTING_MKFS_LOG_SIZE)->given;
}

static uint64_t most_blocks(const struct mkfs_run *run)
{
    uint64_t by_bytes = MOST_LOG_BYTES >> run->block_log;
    return by_bytes < MOST_LOG_BLOCKS ? by_bytes : MOST_LOG_BLOCKS;
}

static uint64_t least_blocks(const struct mkfs_run *run, const struct xfs_reservation_input *in)
{
    uint64_t least = xfs_min_log_blocks(in);
    if (least < LEAST_LOG_BLOCKS)
        least = LEAST_LOG_BLOCKS;
    if (!size_given(run) && run->out->blocks >= GIB_BYTES >> run->block_log &&
        least < LEAST_LOG_BYTES >> run->block_log)
        least = LEAST_LOG_BYTES >> run->block_log;
    return least;
}

static bool size_valid(struct mkfs_run *run, uint64_t least)
{
    uint64_t blocks = run->out->log_blocks;
    if (blocks < least)
        return SAY(run, MESSAGE_LOG_SIZE_BELOW_MINIMUM, SAY_NUMBER(blocks), SAY_NUMBER(least));
    if (blocks > MOST_LOG_BLOCKS)
        return SAY(run, MESSAGE_LOG_BLOCKS_TOO_LARGE, SAY_NUMBER(blocks),
                   SAY_NUMBER(MOST_LOG_BLOCKS));
    if (blocks << run->block_log > MOST_LOG_BYTES)
        return SAY(run, MESSAGE_LOG_BYTES_TOO_LARGE, SAY_NUMBER(blocks << run->block_log),
                   SAY_NUMBER(MOST_LOG_BYTES));
    return true;
}

/* The log is whole log stripe units; most: what may not be exceeded by rounding up. */
static bool align_size(struct mkfs_run *run, uint64_t unit, uint64_t most)
{
    uint64_t blocks = run->out->log_blocks;
    if (blocks % unit == 0)
        return true;
    if (size_given(run))
        return SAY(run, MESSAGE_LOG_SIZE_NOT_UNIT, SAY_NUMBER(blocks), SAY_NUMBER(unit));
    uint64_t up = (blocks / unit + 1) * unit;
    run->out->log_blocks = up > most || up > most_blocks(run) ? blocks / unit * unit : up;
    return true;
}

static uint64_t by_concurrency(const struct mkfs_run *run, const struct xfs_reservation_input *in)
{
    if (!run->profile->behaviour[PROGS_CONCURRENCY] || run->env->rotational ||
        run->out->blocks < GIB_BYTES >> run->block_log)
        return 0;
    uint64_t bytes = xfs_max_transaction_bytes(in) * run->env->cpus * 3 / 2;
    uint64_t blocks = bytes >> run->block_log, most = most_blocks(run);
    return blocks < most ? blocks : most;
}

static uint64_t own_size(const struct mkfs_run *run, const struct xfs_reservation_input *in,
                         uint64_t least, uint64_t ag_limit)
{
    uint64_t blocks = run->out->blocks / 2048, realistic = (64 * MIB_BYTES) >> run->block_log;
    uint64_t concurrent = by_concurrency(run, in);
    if (blocks < concurrent)
        blocks = concurrent;
    if (blocks < realistic)
        blocks = realistic;
    if (run->out->blocks < (300 * MIB_BYTES) >> run->block_log)
        blocks = least;
    if (blocks < least)
        blocks = least;
    if (blocks > ag_limit)
        blocks = ag_limit;
    return blocks < most_blocks(run) ? blocks : most_blocks(run);
}

static bool external_log(struct mkfs_run *run, uint64_t least)
{
    struct mkfs_outcome *out = run->out;
    uint64_t most = run->profile->behaviour[PROGS_LOG_ROUNDS_PAST_DEVICE]
                        ? UINT64_MAX : run->env->log_device_bytes >> run->block_log;
    if (out->log_blocks < least)
        return SAY(run, MESSAGE_EXTERNAL_LOG_TOO_SMALL, SAY_NUMBER(out->log_blocks),
                   SAY_NUMBER(least));
    if (run->log_unit_blocks && !align_size(run, run->log_unit_blocks, most))
        return false;
    return size_valid(run, least);
}

/* Blocks at the start of an AG: four sectors of headers, three btree roots, and the features'. */
static uint64_t header_blocks(const struct mkfs_outcome *out)
{
    return 3 * (uint64_t)out->sector_bytes / out->block_bytes + 4 + out->feature[FEATURE_FINOBT] +
           out->feature[FEATURE_RMAPBT] + out->feature[FEATURE_REFLINK];
}

/* Places the log behind the headers of the middle AG, on its stripe unit. */
static bool place(struct mkfs_run *run, uint64_t ag_limit)
{
    struct mkfs_outcome *out = run->out;
    unsigned ag_log = 64 - (unsigned)__builtin_clzll(out->ag_blocks - 1);
    uint64_t unit = run->log_unit_blocks ? run->log_unit_blocks : out->stripe_unit_blocks;
    uint64_t group = out->ag_count / 2, first = group << ag_log;
    uint64_t rest = out->blocks - group * out->ag_blocks;
    uint64_t end = first + (rest < out->ag_blocks ? rest : out->ag_blocks);
    out->log_start_block = first + header_blocks(out);
    if (!unit)
        return true;
    out->log_start_block = (out->log_start_block + unit - 1) / unit * unit;
    if (out->log_start_block >= end)
        return SAY(run, MESSAGE_LOG_START_UNALIGNED, SAY_NUMBER(out->log_start_block));
    if (!align_size(run, unit, ag_limit))
        return false;
    if (out->log_start_block + out->log_blocks > end)
        out->log_blocks -= unit;
    if (out->log_start_block + out->log_blocks > end)
        return SAY(run, MESSAGE_LOG_END_OUTSIDE, SAY_NUMBER(out->log_blocks));
    return true;
}

bool xa_mkfs_step_log(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    struct xfs_reservation_input in = xa_mkfs_reservation(run);
    uint64_t least = least_blocks(run, &in);
    if (out->log_external)
        return external_log(run, least);
    uint64_t ag_limit = xfs_ag_log_limit_blocks(&in);
    if (ag_limit < least)
        return SAY(run, MESSAGE_LOG_MAX_BELOW_MIN, SAY_NUMBER(ag_limit), SAY_NUMBER(least));
    if (!size_given(run)) {
        out->log_blocks = own_size(run, &in, least, ag_limit);
        if (!size_valid(run, least))
            return false;
    }
    if (out->log_blocks > ag_limit)
        return SAY(run, MESSAGE_INTERNAL_LOG_TOO_LARGE, SAY_NUMBER(out->log_blocks),
                   SAY_NUMBER(ag_limit));
    return place(run, ag_limit) && size_valid(run, least);
}
