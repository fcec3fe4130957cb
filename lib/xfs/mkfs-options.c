// SPDX-License-Identifier: LGPL-2.1-or-later
// Model of mkfs.xfs, first steps: what it refuses while it reads the line, sector sizes, and
// the sizes of the devices.
#include <stddef.h>
#include <string.h>

#include "xfs/mkfs-run.h"

enum { LEAST_BLOCK_BYTES = 1024, DEFAULT_BLOCK_BYTES = 4096, DEFAULT_SECTOR_BYTES = 512,
       MOST_SECTOR_BYTES = 32768 };

/* Options that exclude each other, the one that stands first in a line first. */
static const enum setting_id conflicts[][2] = {
    {SETTING_MKFS_DATA_SU, SETTING_MKFS_DATA_NOALIGN},
    {SETTING_MKFS_DATA_SW, SETTING_MKFS_DATA_NOALIGN},
    {SETTING_MKFS_DATA_AGCOUNT, SETTING_MKFS_DATA_AGSIZE},
};

static bool check_conflicts(struct mkfs_run *run, enum setting_id setting)
{
    for (size_t at = 0; at < sizeof(conflicts) / sizeof(conflicts[0]); at++) {
        const struct setting_row *first = &xa_setting_table[conflicts[at][0]];
        const struct setting_row *second = &xa_setting_table[setting];
        if (conflicts[at][1] == setting && run_value(run, conflicts[at][0])->given)
            return SAY(run, MESSAGE_CONFLICT, SAY_TEXT(first->option), SAY_TEXT(first->key),
                       SAY_TEXT(second->option), SAY_TEXT(second->key));
    }
    return true;
}

bool xa_mkfs_value_fits(struct mkfs_run *run, enum setting_id setting)
{
    const struct setting_row *row = &xa_setting_table[setting];
    if (!run_value(run, setting)->given)
        return true;
    uint64_t number = run_value(run, setting)->number;
    bool size = row->kind == SETTING_KIND_SIZE;
    enum message_id id;
    if (number < (uint64_t)row->min)
        id = size ? MESSAGE_SIZE_TOO_SMALL : MESSAGE_COUNT_TOO_SMALL;
    else if (number > (uint64_t)row->max)
        id = size ? MESSAGE_SIZE_TOO_LARGE : MESSAGE_COUNT_TOO_LARGE;
    else if (row->power_of_two && (number & (number - 1)))
        id = MESSAGE_SIZE_POWER_OF_TWO;
    else
        return true;
    return SAY(run, id, SAY_NUMBER(number), SAY_TEXT(row->option), SAY_TEXT(row->key));
}

static bool check_known(struct mkfs_run *run, enum setting_id setting)
{
    const struct setting_row *row = &xa_setting_table[setting];
    for (unsigned at = 0; at < FEATURE_ROWS; at++) {
        if (xa_feature_table[at].setting == setting && run->profile->feature[at] < 0)
            return SAY(run, MESSAGE_UNKNOWN_OPTION, SAY_TEXT(row->option), SAY_TEXT(row->key),
                       SAY_NUMBER(run_value(run, setting)->number));
    }
    return true;
}

static bool check_value(struct mkfs_run *run, enum setting_id setting)
{
    const struct setting_row *row = &xa_setting_table[setting];
    const char *text = run_value(run, setting)->text;
    if (row->kind == SETTING_KIND_SWITCH || row->late)
        return true;
    if (row->kind != SETTING_KIND_TEXT)
        return xa_mkfs_value_fits(run, setting);
    if (text && strlen(text) > (uint64_t)row->max)
        return SAY(run, MESSAGE_LABEL_TOO_LONG, SAY_TEXT(text), SAY_TEXT(row->option));
    return true;
}

bool xa_mkfs_step_options(struct mkfs_run *run)
{
    for (unsigned at = 0; at < SETTING_ROWS; at++) {
        if (!run->line->value[at].given || xa_setting_table[at].where != SETTING_WHERE_MKFS)
            continue;
        if (!check_known(run, at) || !check_conflicts(run, at) || !check_value(run, at))
            return false;
    }
    return true;
}

/* A device that starts inside its own unit is refused, or loses its physical sector. */
static bool check_alignment(struct mkfs_run *run)
{
    if (!run->env->misaligned)
        return true;
    SAY_PLAIN(run, MESSAGE_MISALIGNED);
    return run_value(run, SETTING_MKFS_FORCE)->given ||
           SAY_PLAIN(run, MESSAGE_MISALIGNED_USE_FORCE);
}

static bool choose_sector(struct mkfs_run *run)
{
    const struct mkfs_environment *env = run->env;
    struct mkfs_outcome *out = run->out;
    uint32_t logical = env->logical_sector_bytes ? env->logical_sector_bytes
                                                 : DEFAULT_SECTOR_BYTES;
    uint32_t physical = env->physical_sector_bytes ? env->physical_sector_bytes
                                                   : DEFAULT_SECTOR_BYTES;
    const struct mkfs_value *asked = run_value(run, SETTING_MKFS_SECTOR_SIZE);
    if (physical > MOST_SECTOR_BYTES || env->misaligned)
        physical = logical;
    out->sector_bytes = asked->given ? (uint32_t)asked->number : physical;
    if (!asked->given && out->block_bytes < physical && out->block_bytes >= logical) {
        SAY(run, MESSAGE_BLOCK_BELOW_PHYSICAL, SAY_NUMBER(out->block_bytes), SAY_NUMBER(physical),
            SAY_NUMBER(logical));
        out->sector_bytes = logical;
    }
    if (out->block_bytes < out->sector_bytes)
        return SAY(run, MESSAGE_BLOCK_BELOW_SECTOR, SAY_NUMBER(out->block_bytes),
                   SAY_NUMBER(out->sector_bytes));
    if (out->sector_bytes < logical)
        return SAY(run, MESSAGE_SECTOR_BELOW_HARDWARE, SAY_NUMBER(out->sector_bytes),
                   SAY_NUMBER(logical));
    return true;
}

static bool choose_log_sector(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    const struct mkfs_value *asked = run_value(run, SETTING_MKFS_LOG_SECTSIZE);
    uint32_t device = run->env->log_device_sector_bytes;
    bool sector_given = run_value(run, SETTING_MKFS_SECTOR_SIZE)->given;
    /* -s sets both, and stands behind -l in the line. */
    if (sector_given || (!asked->given && !out->log_external)) {
        out->log_sector_bytes = out->sector_bytes;
        return true;
    }
    if (asked->given && !out->log_external && asked->number != out->sector_bytes)
        return SAY_PLAIN(run, MESSAGE_LOG_SECTOR_INTERNAL);
    if (asked->given)
        out->log_sector_bytes = (uint32_t)asked->number;
    else if (run->profile->behaviour[PROGS_LOG_SECTOR_FROM_DEVICE] && device)
        out->log_sector_bytes = device;
    else
        out->log_sector_bytes = DEFAULT_SECTOR_BYTES;
    if (out->log_sector_bytes > out->block_bytes)
        return SAY(run, MESSAGE_LOG_SECTOR_ILLEGAL, SAY_NUMBER(out->log_sector_bytes));
    return true;
}

bool xa_mkfs_step_sectors(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    const struct mkfs_value *block = run_value(run, SETTING_MKFS_BLOCK_SIZE);
    out->block_bytes = block->given ? (uint32_t)block->number : DEFAULT_BLOCK_BYTES;
    out->log_external = run_value(run, SETTING_MKFS_LOG_LOGDEV)->given;
    run->block_log = (unsigned)__builtin_ctz(out->block_bytes);
    if (out->block_bytes < LEAST_BLOCK_BYTES)
        return SAY(run, MESSAGE_BLOCK_TOO_SMALL, SAY_NUMBER(LEAST_BLOCK_BYTES));
    return check_alignment(run) && choose_sector(run) && choose_log_sector(run);
}

static bool read_log_size(struct mkfs_run *run)
{
    const struct mkfs_value *size = run_value(run, SETTING_MKFS_LOG_SIZE);
    uint64_t whole = size->number >> run->block_log << run->block_log;
    if (!size->given)
        return true;
    if (!xa_mkfs_value_fits(run, SETTING_MKFS_LOG_SIZE))
        return false;
    if (size->number % DEFAULT_SECTOR_BYTES)
        return SAY(run, MESSAGE_LOG_LENGTH_SECTORS, SAY_NUMBER(size->number));
    if (whole != size->number)
        SAY(run, MESSAGE_LOG_LENGTH_TRUNCATED, SAY_NUMBER(size->number),
            SAY_NUMBER(run->out->block_bytes), SAY_NUMBER(whole));
    run->out->log_blocks = whole >> run->block_log;
    return true;
}

bool xa_mkfs_step_devices(struct mkfs_run *run)
{
    struct mkfs_outcome *out = run->out;
    const struct mkfs_value *size = run_value(run, SETTING_MKFS_LOG_SIZE);
    out->blocks = run->env->size_bytes >> run->block_log;
    if (!read_log_size(run))
        return false;
    if (!out->log_external && out->log_blocks >= out->blocks)
        return SAY(run, MESSAGE_LOG_SIZE_TOO_LARGE_INTERNAL, SAY_NUMBER(out->log_blocks));
    if (!out->log_external)
        return true;
    if (out->log_sector_bytes < run->env->log_device_sector_bytes)
        SAY(run, MESSAGE_LOG_SECTOR_BELOW_HARDWARE, SAY_NUMBER(out->log_sector_bytes),
            SAY_NUMBER(run->env->log_device_sector_bytes));
    uint64_t device_blocks = run->env->log_device_bytes >> run->block_log;
    if (size->given && device_blocks && out->log_blocks > device_blocks)
        return SAY(run, MESSAGE_LOG_SIZE_TOO_LARGE_DEVICE, SAY_NUMBER(size->number),
                   SAY_NUMBER(device_blocks));
    if (!size->given)
        out->log_blocks = device_blocks;
    return true;
}
