// SPDX-License-Identifier: LGPL-2.1-or-later
// A model of mkfs.xfs: runs its steps in order and keeps what they say.
#include "xfs/mkfs.h"

#include <string.h>

#include "xfs/mkfs-run.h"

bool xa_mkfs_say(struct mkfs_run *run, enum message_id id, const struct arg *args, size_t count)
{
    const struct message_row *row = &xa_message_table[id];
    struct mkfs_outcome *out = run->out;
    if (row->fatal)
        out->status = 1;
    if (out->message_count == MKFS_MESSAGES_MAX)
        return !row->fatal;
    struct mkfs_message *message = &out->messages[out->message_count++];
    *message = (struct mkfs_message){.id = id, .stream = row->stream};
    if (row->stream == STREAM_WARNING)
        message->stream = run->profile->behaviour[PROGS_WIDTH_WARNING_STDOUT] ? STREAM_STDOUT
                                                                              : STREAM_STDERR;
    for (size_t at = 0; at < count; at++)
        message->args[at] = args[at];
    return !row->fatal;
}

void xa_mkfs_message_text(struct buf *buf, const struct mkfs_message *message)
{
    const struct message_row *row = &xa_message_table[message->id];
    xa_buf_template(buf, row->text, row->kinds, message->args);
}

uint64_t xa_mkfs_ag_min_blocks(uint32_t block_bytes)
{
    return 16 * MIB_BYTES / block_bytes;
}

uint64_t xa_mkfs_ag_max_blocks(uint32_t block_bytes)
{
    return (TIB_BYTES - 1) / block_bytes;
}

static bool set_features(struct mkfs_run *run)
{
    bool *feature = run->out->feature;
    for (unsigned at = 0; at < FEATURE_ROWS; at++) {
        const struct mkfs_value *value = run_value(run, xa_feature_table[at].setting);
        feature[at] = value->given ? value->number != 0 : run->profile->feature[at] == 1;
    }
    if (feature[FEATURE_PARENT] && !run_value(run, SETTING_MKFS_INODE_EXCHANGE)->given)
        feature[FEATURE_EXCHANGE] = true;
    if (feature[FEATURE_FINOBT])
        return true;
    if (feature[FEATURE_INOBTCOUNT] && run_value(run, SETTING_MKFS_META_INOBTCOUNT)->given)
        return SAY_PLAIN(run, MESSAGE_INOBTCOUNT_WITHOUT_FINOBT);
    feature[FEATURE_INOBTCOUNT] = false;
    return true;
}

struct xfs_reservation_input xa_mkfs_reservation(const struct mkfs_run *run)
{
    const struct mkfs_outcome *out = run->out;
    return (struct xfs_reservation_input){
        .block_bytes = out->block_bytes,
        .sector_bytes = out->sector_bytes,
        .inode_bytes = 512,
        .dir_block_bytes = out->block_bytes > 4096 ? out->block_bytes : 4096,
        .ag_blocks = (uint32_t)out->ag_blocks,
        .log_stripe_unit_bytes = out->log_stripe_unit_bytes,
        .finobt = out->feature[FEATURE_FINOBT],
        .rmapbt = out->feature[FEATURE_RMAPBT],
        .reflink = out->feature[FEATURE_REFLINK],
        .nrext64 = out->feature[FEATURE_NREXT64],
        .parent = out->feature[FEATURE_PARENT],
        .atomic_write_reservation = run->profile->behaviour[PROGS_ATOMIC_WRITE_RESERVATION],
    };
}

static void set_inode_max_percent(struct mkfs_outcome *out)
{
    uint64_t bytes = out->blocks * out->block_bytes;
    out->inode_max_percent = bytes < TIB_BYTES ? 25 : bytes < 50 * TIB_BYTES ? 5 : 1;
}

/* Later releases name the AG as the cause where the line fixed it. */
static bool blames_ag(const struct mkfs_run *run)
{
    bool fixed = run_value(run, SETTING_MKFS_DATA_AGCOUNT)->given ||
                 run_value(run, SETTING_MKFS_DATA_AGSIZE)->given;
    return run->profile->behaviour[PROGS_SAYS_AG_BELOW_LOG] && fixed && !run->out->log_external &&
           !run_value(run, SETTING_MKFS_LOG_SIZE)->given;
}

static bool supported(struct mkfs_run *run)
{
    const struct mkfs_outcome *out = run->out;
    bool binary = run->profile->behaviour[PROGS_BINARY_UNITS];
    if (out->blocks * out->block_bytes < 300 * MIB_BYTES)
        return SAY(run, MESSAGE_TOO_SMALL_300, SAY_TEXT(binary ? "300MiB" : "300MB"));
    if (out->log_blocks * out->block_bytes < 64 * MIB_BYTES && blames_ag(run))
        return SAY(run, MESSAGE_AG_BELOW_LOG,
                   SAY_NUMBER(out->ag_blocks * out->block_bytes / MIB_BYTES));
    if (out->log_blocks * out->block_bytes < 64 * MIB_BYTES)
        return SAY(run, MESSAGE_LOG_BELOW_64, SAY_TEXT(binary ? "64MiB" : "64MB"));
    if (out->ag_count < 2)
        return SAY_PLAIN(run, MESSAGE_ONE_SUPERBLOCK);
    return true;
}

void xa_mkfs_predict(const struct mkfs_profile *profile, const struct mkfs_environment *env,
                     const struct mkfs_line *line, struct mkfs_outcome *outcome)
{
    struct mkfs_run run = {.profile = profile, .env = env, .line = line, .out = outcome};
    memset(outcome, 0, sizeof(*outcome));
    if (!xa_mkfs_step_options(&run) || !xa_mkfs_step_sectors(&run) || !set_features(&run) ||
        !xa_mkfs_step_devices(&run) || !xa_mkfs_step_stripe(&run) ||
        !xa_mkfs_step_log_unit(&run) || !xa_mkfs_step_ags(&run))
        return;
    set_inode_max_percent(outcome);
    if (xa_mkfs_step_log(&run) && supported(&run) && env->discards &&
        !run_value(&run, SETTING_MKFS_DISCARD)->given)
        SAY_PLAIN(&run, MESSAGE_DISCARDING);
}
