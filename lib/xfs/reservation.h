/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How big a log XFS's own transactions demand: the smallest log mkfs.xfs accepts, the transaction
 * it scales a log by for concurrency, and the largest internal log an allocation group can hold.
 * Pure arithmetic on a decided geometry: it applies none of mkfs.xfs's other floors and ceilings
 * (512 blocks, 10 MiB, 64 MiB, 2 GiB - 10 MiB) and does not choose a log size.
 */
#ifndef XFS_RESERVATION_H
#define XFS_RESERVATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What the reservations depend on, for a version 5 (crc=1) file system without realtime device.
 * Everything else mkfs.xfs decides (agcount, data size, log sector size, data stripe, sparse,
 * bigtime, inobtcount, exchange) has no effect. No field is checked: the caller has made sure of
 * the ranges below.
 *
 * Rules by release: atomic_write_reservation is false up to xfsprogs 6.15 and true since 6.16.0.
 * parent can be true since 6.10.0; the tighter reservations that come with it are part of the
 * feature, not of a release. No other rule differs between 6.1.0, 6.13.0 and 7.2.0.
 */
struct xfs_reservation_input {
    uint32_t block_bytes;           /* power of two, 1024 to 65536 */
    uint32_t sector_bytes;          /* data device; power of two, 512 to the smaller of 32768 and
                                       block_bytes */
    uint32_t inode_bytes;           /* power of two, 512 to the smaller of 2048 and block_bytes/2 */
    uint32_t dir_block_bytes;       /* power of two, block_bytes to 65536 */
    uint32_t ag_blocks;             /* allocation group: 16 MiB to 1 TiB - 1 byte, in blocks */
    uint32_t log_stripe_unit_bytes; /* in force, so a block on sectors above 512 when mkfs.xfs
                                       chooses it; multiple of block_bytes up to 262144; 0: none */
    bool finobt;
    bool rmapbt;
    bool reflink;
    bool nrext64;
    bool parent;
    bool atomic_write_reservation; /* log is reserved for the end of an atomic write; this shows
                                      only with rmapbt and neither reflink nor parent */
};

/*
 * The smallest log, in file system blocks, in which every transaction is sure to find room.
 * mkfs.xfs applies its floor of 512 blocks (XFS_MIN_LOG_BLOCKS) on top and then refuses a smaller
 * log with "log size ... blocks too small, minimum size is ... blocks"; the kernel refuses to
 * mount one. Rule: XFS on-disk log limits (libxfs xfs_log_calc_minimum_size), re-derived.
 */
uint64_t xfs_min_log_blocks(const struct xfs_reservation_input *in);

/*
 * Bytes of the largest transaction, over all the steps it may roll through: what mkfs.xfs since
 * 6.8.0 multiplies by 3 * concurrency / 2 for `-l concurrency=`. It is taken from the reservations
 * made for xfs_min_log_blocks(), without log record headers and log stripe padding.
 */
uint64_t xfs_max_transaction_bytes(const struct xfs_reservation_input *in);

/*
 * Largest internal log, in blocks, that fits one allocation group beside its headers, btree roots
 * and free list reserve: the number in "internal log size ... too large, must be less than ..."
 * (a log of exactly this size is accepted). 0 when the group is too small to hold any log.
 */
uint32_t xfs_ag_log_limit_blocks(const struct xfs_reservation_input *in);

#endif
