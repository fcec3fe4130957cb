/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A model of mkfs.xfs: what a line makes on a device, every message it prints, and whether it
 * refuses. Pure functions. The rules were re-derived from what real releases do, and tests/model
 * compares them with real releases.
 */
#pragma once

#include "base/text.h"
#include "xfs/profile.h"

/* One option of the line. */
struct mkfs_value {
    bool given;
    uint64_t number;  /* bytes, count or 0/1 */
    const char *text; /* text options */
};

/* The line, by setting; only the rows of settings.json with where = mkfs count. */
struct mkfs_line {
    struct mkfs_value value[SETTING_ROWS];
};

/* The device and the machine as mkfs.xfs sees them. */
struct mkfs_environment {
    uint64_t size_bytes;            /* of the device, or of the regular file */
    uint32_t logical_sector_bytes;  /* 0: not probed */
    uint32_t physical_sector_bytes; /* 0: not probed */
    uint64_t io_min_bytes, io_opt_bytes; /* the hints; 0: none, or a regular file */
    bool misaligned;                     /* alignment_offset is above 0 */
    bool discards;                       /* the device takes discards, and it is a real run */
    bool rotational;
    uint32_t cpus;             /* online */
    uint64_t log_device_bytes; /* of an external log; 0: not known */
    uint32_t log_device_sector_bytes, log_device_physical_bytes;
    uint64_t log_device_io_min_bytes, log_device_io_opt_bytes; /* 0: no hint */
};

enum { MKFS_MESSAGES_MAX = 8, MKFS_MESSAGE_ARGS = 4 };

struct mkfs_message {
    enum message_id id;
    enum stream stream; /* STREAM_STDOUT or STREAM_STDERR */
    struct arg args[MKFS_MESSAGE_ARGS];
};

/* What the line makes. The figures are only right with status 0. */
struct mkfs_outcome {
    int status;          /* exit status with -N */
    bool real_run_fails; /* status 0 with -N, but a real run fails half-way */
    uint32_t block_bytes, sector_bytes;
    uint64_t blocks;
    uint64_t ag_blocks, ag_count;
    uint64_t stripe_unit_blocks, stripe_width_blocks; /* 0: no stripe */
    unsigned inode_max_percent;
    bool log_external;
    uint64_t log_blocks;
    uint64_t log_start_block; /* as in the superblock; 0: external */
    uint32_t log_stripe_unit_bytes; /* 0: none */
    uint32_t log_sector_bytes;
    bool feature[FEATURE_ROWS];
    struct mkfs_message messages[MKFS_MESSAGES_MAX];
    unsigned message_count;
};

/* Predicts. Fills all of outcome. */
void xa_mkfs_predict(const struct mkfs_profile *profile, const struct mkfs_environment *env,
                     const struct mkfs_line *line, struct mkfs_outcome *outcome);

/* Writes a message as mkfs.xfs prints it; it may have several lines, without the last break. */
void xa_mkfs_message_text(struct buf *buf, const struct mkfs_message *message);

/* The limits of an AG in blocks of that size. */
uint64_t xa_mkfs_ag_min_blocks(uint32_t block_bytes);
uint64_t xa_mkfs_ag_max_blocks(uint32_t block_bytes);
