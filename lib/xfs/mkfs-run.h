/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of one prediction, shared by the steps of the model. */
#pragma once

#include "xfs/mkfs.h"
#include "xfs/reservation.h"

#define MIB_BYTES UINT64_C(1048576)
#define GIB_BYTES UINT64_C(1073741824)
#define TIB_BYTES UINT64_C(1099511627776)

struct mkfs_run {
    const struct mkfs_profile *profile;
    const struct mkfs_environment *env;
    const struct mkfs_line *line;
    struct mkfs_outcome *out;
    unsigned block_log; /* log2 of the block size */
    int32_t hint_unit_sectors, hint_width_sectors;
    uint64_t log_unit_blocks;
};

/* Adds a message; returns false when it is fatal, which ends the prediction. */
bool xa_mkfs_say(struct mkfs_run *run, enum message_id id, const struct arg *args, size_t count);

#define SAY(run, id, ...) \
    xa_mkfs_say(run, id, (const struct arg[]){__VA_ARGS__}, \
                sizeof((const struct arg[]){__VA_ARGS__}) / sizeof(struct arg))
#define SAY_PLAIN(run, id) xa_mkfs_say(run, id, NULL, 0)
#define SAY_NUMBER(value) {(uint64_t)(value), NULL}
#define SAY_TEXT(value) {0, (value)}

static inline const struct mkfs_value *run_value(const struct mkfs_run *run,
                                                 enum setting_id setting)
{
    return &run->line->value[setting];
}

/* Refuses a number outside of what mkfs.xfs takes for that option, if it is in the line. */
bool xa_mkfs_value_fits(struct mkfs_run *run, enum setting_id setting);

/* The steps, in the order of mkfs.xfs. Each returns false after a fatal message. */
bool xa_mkfs_step_options(struct mkfs_run *run);
bool xa_mkfs_step_sectors(struct mkfs_run *run);
bool xa_mkfs_step_devices(struct mkfs_run *run);
bool xa_mkfs_step_stripe(struct mkfs_run *run);
bool xa_mkfs_step_log_unit(struct mkfs_run *run);
bool xa_mkfs_step_ags(struct mkfs_run *run);
bool xa_mkfs_step_log(struct mkfs_run *run);

/* What the log reservations depend on. */
struct xfs_reservation_input xa_mkfs_reservation(const struct mkfs_run *run);
