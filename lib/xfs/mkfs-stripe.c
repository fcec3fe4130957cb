// SPDX-License-Identifier: LGPL-2.1-or-later
// Model of mkfs.xfs: the data stripe from the line or the device's hints, and the log stripe unit.
#include <limits.h>
#include <stddef.h>

#include "xfs/mkfs-run.h"

enum { SECTOR_BYTES = 512, LOG_UNIT_MOST_BYTES = 262144, LOG_UNIT_FALLBACK_BYTES = 32768 };

/* mkfs.xfs keeps bytes of hints in an int: large ones wrap. */
static int32_t hint_sectors(uint64_t bytes)
{
    return (int32_t)((uint32_t)bytes) >> 9;
}

static void read_hints(struct mkfs_run *run)
{
    const struct mkfs_environment *env = run->env;
    uint64_t physical = env->physical_sector_bytes ? env->physical_sector_bytes : SECTOR_BYTES;
    if (env->io_min_bytes != physical && env->io_opt_bytes != physical) {
        run->hint_unit_sectors = hint_sectors(env->io_min_bytes);
        run->hint_width_sectors = hint_sectors(env->io_opt_bytes);
    }
}

/* The tests that su and sw share with a hint; sector_bytes 0: that test is left out. */
static bool stripe_refused(struct mkfs_run *run, int64_t unit, int64_t width,
                           uint32_t sector_bytes)
{
    if (width > INT_MAX)
        return !SAY(run, MESSAGE_STRIPE_WIDTH_TOO_LARGE, SAY_NUMBER(width));
    if (unit > width)
        return !SAY(run, MESSAGE_STRIPE_UNIT_LARGER, SAY_NUMBER(unit), SAY_NUMBER(width));
    if (unit % sector_bytes)
        return !SAY(run, MESSAGE_STRIPE_UNIT_SECTOR, SAY_NUMBER(unit), SAY_NUMBER(sector_bytes));
    return false;
}

static bool hint_plausible(int64_t unit, int64_t width)
{
    return width <= INT_MAX && unit <= width && (unit != 0) == (width != 0) &&
           (unit == 0 || width % unit == 0);
}

static void note_difference(struct mkfs_run *run, int64_t unit, int64_t width)
{
    if (run->hint_unit_sectors && run->hint_unit_sectors != unit)
        SAY(run, MESSAGE_UNIT_DIFFERS, SAY_NUMBER(unit), SAY_NUMBER(run->hint_unit_sectors));
    if (run->hint_width_sectors && run->hint_width_sectors != width)
        SAY(run, MESSAGE_WIDTH_DIFFERS, SAY_NUMBER(width), SAY_NUMBER(run->hint_width_sectors));
}

static void set_stripe(struct mkfs_run *run, int64_t unit_bytes, int64_t width_bytes)
{
    run->out->stripe_unit_blocks = (uint64_t)unit_bytes >> run->block_log;
    run->out->stripe_width_blocks = (uint64_t)width_bytes >> run->block_log;
}

/* su and sw of the line, su above 0. */
static bool stripe_from_line(struct mkfs_run *run, int64_t su, int64_t sw)
{
    uint32_t block = run->out->block_bytes;
    int64_t width = su * sw;
    if (su > INT_MAX || sw > INT_MAX || width / SECTOR_BYTES > INT_MAX)
        return SAY(run, MESSAGE_STRIPE_TOO_MANY, SAY_NUMBER((int64_t)(int32_t)su * (int32_t)sw),
                   SAY_NUMBER((int32_t)su));
    if (stripe_refused(run, su, width, run->out->sector_bytes))
        return false;
    note_difference(run, su / SECTOR_BYTES, width / SECTOR_BYTES);
    if (su % block || width % block)
        return SAY(run, MESSAGE_STRIPE_NOT_BLOCKS, SAY_NUMBER(su), SAY_NUMBER(width),
                   SAY_NUMBER(block));
    set_stripe(run, su, width);
    return true;
}

static void stripe_from_hint(struct mkfs_run *run)
{
    int64_t unit = (int64_t)run->hint_unit_sectors * SECTOR_BYTES;
    int64_t width = (int64_t)run->hint_width_sectors * SECTOR_BYTES;
    if (!hint_plausible(unit, width)) {
        SAY(run, MESSAGE_HINT_INVALID, SAY_NUMBER(unit), SAY_NUMBER(width));
        return;
    }
    if (run->out->blocks < GIB_BYTES >> run->block_log) {
        if (unit || width)
            SAY(run, MESSAGE_HINT_SMALL_VOLUME, SAY_NUMBER(run->hint_unit_sectors),
                SAY_NUMBER(run->hint_width_sectors));
        return;
    }
    if (unit % run->out->block_bytes == 0 && width % run->out->block_bytes == 0)
        set_stripe(run, unit, width);
}

bool xa_mkfs_step_stripe(struct mkfs_run *run)
{
    const struct mkfs_value *su = run_value(run, SETTING_MKFS_DATA_SU);
    const struct mkfs_value *sw = run_value(run, SETTING_MKFS_DATA_SW);
    read_hints(run);
    if (!xa_mkfs_value_fits(run, SETTING_MKFS_DATA_SU))
        return false;
    if (su->given != sw->given && (su->number || sw->number))
        return SAY_PLAIN(run, MESSAGE_SU_WITHOUT_SW);
    if (su->given && su->number)
        return stripe_from_line(run, (int64_t)su->number, (int64_t)sw->number);
    if (!su->given && !run_value(run, SETTING_MKFS_DATA_NOALIGN)->given)
        stripe_from_hint(run);
    return true;
}

static bool log_device_hints(const struct mkfs_run *run)
{
    const struct mkfs_environment *env = run->env;
    return run->out->log_external && run->profile->behaviour[PROGS_LOG_UNIT_FROM_LOG_DEVICE] &&
           env->log_device_io_min_bytes &&
           env->log_device_io_min_bytes != env->log_device_physical_bytes &&
           env->log_device_io_opt_bytes != env->log_device_physical_bytes;
}

/* The log stripe unit in blocks when the line does not give one. */
static uint64_t own_log_unit(const struct mkfs_run *run)
{
    const struct mkfs_outcome *out = run->out;
    bool large_sector = out->log_sector_bytes > SECTOR_BYTES;
    uint64_t data = out->log_external ? 0 : out->stripe_unit_blocks;
    if (log_device_hints(run))
        return run->env->log_device_io_min_bytes >> run->block_log;
    if (run->profile->behaviour[PROGS_LOG_UNIT_DATA_FIRST])
        return data ? data : large_sector;
    return large_sector ? 1 : data;
}

bool xa_mkfs_step_log_unit(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    const struct mkfs_value *su = run_value(run, SETTING_MKFS_LOG_SU);
    if (!xa_mkfs_value_fits(run, SETTING_MKFS_LOG_SU))
        return false;
    if (su->given && su->number % out->block_bytes)
        return SAY(run, MESSAGE_LOG_UNIT_NOT_BLOCKS, SAY_NUMBER(su->number),
                   SAY_NUMBER(out->block_bytes));
    run->log_unit_blocks = su->given ? su->number >> run->block_log : own_log_unit(run);
    if (run->log_unit_blocks << run->block_log > LOG_UNIT_MOST_BYTES) {
        if (run->profile->behaviour[PROGS_LOG_UNIT_SCARE])
            SAY(run, MESSAGE_LOG_UNIT_TOO_LARGE,
                SAY_NUMBER((int32_t)(run->log_unit_blocks << run->block_log)));
        run->log_unit_blocks = LOG_UNIT_FALLBACK_BYTES / out->block_bytes;
    }
    out->log_stripe_unit_bytes = (uint32_t)(run->log_unit_blocks << run->block_log);
    return true;
}
