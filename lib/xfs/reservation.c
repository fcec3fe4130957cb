// SPDX-License-Identifier: LGPL-2.1-or-later
// The smallest log and the largest transaction of an XFS file system, from its geometry.
// A transaction is a row that counts how often it logs each kind of item; the largest one decides.
// Realtime devices and `-i max_atomic_write=` are not covered, nor is choosing a log size.
#include "reservation.h"

#include <stddef.h>

enum {
    BASIC_BLOCK_BYTES = 512,
    SHORT_BTREE_HEADER_BYTES = 56, /* btrees inside an allocation group */
    LONG_BTREE_HEADER_BYTES = 72,  /* extent map of an inode */
    FREE_EXTENT_BYTES = 8,         /* a leaf record of the free space btrees */
    BUFFER_HEADER_BYTES = 128,     /* log format of a buffer */
    INODE_HEADER_BYTES = 248,      /* log format of an inode with both forks */
    DQUOTS_BYTES = 768,            /* user, group and project quota of two directories */
    SYMLINK_TARGET_BYTES = 1024,
    NAME_BYTES = 256,         /* longest, with its terminator */
    PARENT_INTENT_BYTES = 40, /* log format of an intended attribute change */
    PARENT_POINTER_BYTES = 12 + NAME_BYTES,
    OP_HEADER_BYTES = 12,
    TRANSACTION_HEADER_BYTES = 16,
    LOG_RECORD_BYTES = 262144,
    LOG_RECORD_HEADER_BYTES = 4096, /* of a record of that size */
    MIN_LOG_FACTOR = 3,             /* two largest transactions and their slack */
    INODES_PER_CHUNK = 64,
    INODES_PER_CLUSTER = 32,
    DA_LEVELS = 5, /* tallest btree of a directory or an attribute fork */
    DIR_BLOCKS = DA_LEVELS + 2,
    ATTR_STEPS = 3,
    EARLY_RMAP_LEVELS = 9,   /* once assumed of every reverse map beside reflink */
    EARLY_REFLINK_STEPS = 6, /* once added for every kind of deferred update */
    FREE_LIST_RESERVE_BLOCKS = 4,
    AG_BTREE_ROOTS = 3, /* free space by block and by size, inodes */
    AG_HEADER_SECTORS = 4,
};

/* What a transaction can log, each with a size in bytes that depends on the geometry. */
enum item {
    ITEM_INODE,
    ITEM_SECTOR,
    ITEM_BLOCK,
    ITEM_EXTENT,    /* an extent taken or freed: free space btrees and reverse map */
    ITEM_REFCOUNT,  /* an extent shared or unshared in the same transaction */
    ITEM_INOBT,     /* an inode chunk entered or removed, and an extent for the btree */
    ITEM_FINOBT,    /* the same in the free inode btree */
    ITEM_DIRECTORY, /* a name entered or removed */
    ITEM_CLUSTER,   /* inode cluster buffer */
    ITEM_CHUNK,     /* headers of the invalidated blocks of an inode chunk */
    ITEM_COUNT
};

/* The bytes of one step are the quotas, the fixed bytes and the counted items. */
struct transaction {
    uint16_t fixed_bytes;
    uint16_t parent_bytes; /* intents that update parent pointers */
    uint8_t steps;
    uint8_t parent_steps;
    bool defers_extents; /* steps are added for reverse map and refcount updates */
    uint8_t count[ITEM_COUNT];
};

/*
 * The transactions that can be the largest, a row for each alternative of what they log. Of equal
 * ones the first counts. Always smaller are: attribute inactivation and removal, growing the data
 * section (than truncate); link, unlink, adding an attribute fork, the blocks a rename frees
 * (than rename or truncate); writing and allocating quota (likewise); creating a file, a directory
 * or a temporary file (than a symbolic link); and all that log only a few items.
 */
static const struct transaction transactions[] = {
    /* truncate */
    {.steps = 2,
     .defers_extents = true,
     .count = {[ITEM_SECTOR] = 9, [ITEM_EXTENT] = 4, [ITEM_REFCOUNT] = 4}},
    /* rename: one parent pointer replaced, one removed, one added */
    {.parent_bytes = 3 * PARENT_INTENT_BYTES + 4 * PARENT_POINTER_BYTES,
     .steps = 2,
     .parent_steps = ATTR_STEPS,
     .count = {[ITEM_INODE] = 5, [ITEM_DIRECTORY] = 2}},
    /* symbolic link that allocates inodes */
    {.fixed_bytes = SYMLINK_TARGET_BYTES,
     .parent_bytes = PARENT_INTENT_BYTES + PARENT_POINTER_BYTES,
     .steps = 3,
     .parent_steps = ATTR_STEPS,
     .count = {[ITEM_SECTOR] = 3, [ITEM_EXTENT] = 1, [ITEM_INOBT] = 1, [ITEM_FINOBT] = 1}},
    /* symbolic link that takes a free inode and enters its name */
    {.fixed_bytes = SYMLINK_TARGET_BYTES,
     .parent_bytes = PARENT_INTENT_BYTES + PARENT_POINTER_BYTES,
     .steps = 3,
     .parent_steps = ATTR_STEPS,
     .count = {[ITEM_INODE] = 2, [ITEM_SECTOR] = 1, [ITEM_BLOCK] = 1, [ITEM_FINOBT] = 1,
               [ITEM_DIRECTORY] = 1}},
    /* freeing an inode */
    {.steps = 2,
     .count = {[ITEM_INODE] = 1, [ITEM_SECTOR] = 4, [ITEM_EXTENT] = 1, [ITEM_INOBT] = 1,
               [ITEM_FINOBT] = 1, [ITEM_CLUSTER] = 2, [ITEM_CHUNK] = 1}},
};

struct reservation {
    uint32_t bytes; /* of one step */
    uint32_t steps;
};

/* A btree by the bytes of its block header, a leaf record, and a key with pointer in a node. */
struct btree {
    uint8_t header_bytes, record_bytes, node_entry_bytes;
};

static const struct btree free_space_btree = {SHORT_BTREE_HEADER_BYTES, FREE_EXTENT_BYTES, 12};
static const struct btree inode_btree = {SHORT_BTREE_HEADER_BYTES, 16, 8};
static const struct btree rmap_btree = {SHORT_BTREE_HEADER_BYTES, 24, 44};
static const struct btree refcount_btree = {SHORT_BTREE_HEADER_BYTES, 12, 8};
static const struct btree extent_map_btree = {LONG_BTREE_HEADER_BYTES, 16, 16};

static uint64_t divide_up(uint64_t value, uint64_t divisor)
{
    return (value + divisor - 1) / divisor;
}

/* Records in a block that is as empty as a split leaves it. */
static uint32_t half_full(uint32_t block_bytes, const struct btree *tree, uint32_t entry_bytes)
{
    return (block_bytes - tree->header_bytes) / entry_bytes / 2;
}

/* Height of a tree of half-full blocks. */
static uint32_t tree_levels(uint32_t block_bytes, const struct btree *tree, uint64_t records)
{
    uint32_t fanout = half_full(block_bytes, tree, tree->node_entry_bytes);
    uint64_t blocks = divide_up(records, half_full(block_bytes, tree, tree->record_bytes));
    uint32_t levels = 1;

    for (; blocks > 1; levels++)
        blocks = divide_up(blocks, fanout);
    return levels;
}

/* Height of the reverse map when sharing lets its records fill the whole allocation group. */
static uint32_t shared_rmap_levels(const struct xfs_reservation_input *in)
{
    uint32_t fanout = half_full(in->block_bytes, &rmap_btree, rmap_btree.node_entry_bytes);
    uint64_t level_blocks = 2;
    uint64_t blocks_left = in->ag_blocks - 1;
    uint32_t levels = 1;

    for (; level_blocks < blocks_left; levels++) {
        blocks_left -= level_blocks;
        level_blocks *= fanout;
    }
    return levels;
}

/*
 * Without parent pointers the first, too generous reservations of rmapbt and reflink stay in force,
 * so that kernels of that time mount what a new mkfs.xfs makes.
 */
static uint32_t rmap_levels(const struct xfs_reservation_input *in)
{
    if (!in->reflink)
        return tree_levels(in->block_bytes, &rmap_btree, in->ag_blocks);
    return in->parent ? shared_rmap_levels(in) : EARLY_RMAP_LEVELS;
}

/* Blocks to log when every level of a btree splits: two each, one for the root. */
static uint32_t split_blocks(uint32_t levels)
{
    return 2 * levels - 1;
}

static uint32_t extent_change_blocks(const struct xfs_reservation_input *in)
{
    uint64_t most_extents = ((uint64_t)in->ag_blocks + 1) / 2;
    uint32_t blocks =
        2 * split_blocks(tree_levels(in->block_bytes, &free_space_btree, most_extents));

    return in->rmapbt ? blocks + split_blocks(rmap_levels(in)) : blocks;
}

static uint32_t refcount_change_blocks(const struct xfs_reservation_input *in)
{
    if (!in->reflink || in->parent)
        return 0;
    return split_blocks(tree_levels(in->block_bytes, &refcount_btree, in->ag_blocks));
}

/* Levels for an inode number space as wide as the group rounded up to a power of two. */
static uint32_t inode_btree_levels(const struct xfs_reservation_input *in)
{
    uint64_t blocks = 1;

    while (blocks < in->ag_blocks)
        blocks *= 2;
    return tree_levels(in->block_bytes, &inode_btree,
                       blocks * (in->block_bytes / in->inode_bytes) / INODES_PER_CHUNK);
}

static uint32_t data_map_levels(const struct xfs_reservation_input *in)
{
    uint64_t most_extents = (UINT64_C(1) << (in->nrext64 ? 48 : 31)) - 1;

    return tree_levels(in->block_bytes, &extent_map_btree, most_extents);
}

static uint32_t attr_map_levels(const struct xfs_reservation_input *in)
{
    uint64_t most_extents = (UINT64_C(1) << (in->nrext64 ? 32 : 15)) - 1;

    return tree_levels(in->block_bytes, &extent_map_btree, most_extents);
}

/* Blocks the extent map may gain, below its root, for that many new extents. */
static uint32_t map_growth_blocks(const struct xfs_reservation_input *in, uint32_t extents,
                                  uint32_t levels)
{
    uint32_t leaf_extents = (in->block_bytes - SHORT_BTREE_HEADER_BYTES) / FREE_EXTENT_BYTES;
    uint32_t contiguous = leaf_extents - leaf_extents / 2;

    return (uint32_t)divide_up(extents, contiguous) * (levels - 1);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void size_items(const struct xfs_reservation_input *in, uint32_t bytes[ITEM_COUNT])
{
    uint32_t block = in->block_bytes + BUFFER_HEADER_BYTES;
    uint32_t extent = extent_change_blocks(in) * block;
    uint32_t dir_blocks = in->dir_block_bytes / in->block_bytes;
    uint32_t dir_growth = map_growth_blocks(in, dir_blocks, data_map_levels(in));
    uint32_t chunk_blocks = larger(1, INODES_PER_CHUNK * in->inode_bytes / in->block_bytes);

    bytes[ITEM_INODE] = in->inode_bytes + INODE_HEADER_BYTES;
    bytes[ITEM_SECTOR] = in->sector_bytes + BUFFER_HEADER_BYTES;
    bytes[ITEM_BLOCK] = block;
    bytes[ITEM_EXTENT] = extent;
    bytes[ITEM_REFCOUNT] = refcount_change_blocks(in) * block;
    bytes[ITEM_INOBT] = inode_btree_levels(in) * block + extent;
    bytes[ITEM_FINOBT] = in->finobt ? bytes[ITEM_INOBT] : 0;
    bytes[ITEM_DIRECTORY] = (DIR_BLOCKS * (dir_blocks + dir_growth) + 1) * block;
    bytes[ITEM_CLUSTER] = larger(in->block_bytes, in->inode_bytes * INODES_PER_CLUSTER);
    bytes[ITEM_CHUNK] = chunk_blocks * BUFFER_HEADER_BYTES;
}

/*
 * Steps that deferred updates of reverse map and refcounts add to a truncate. Without parent
 * pointers rmapbt alone added none, until the end of an atomic write became a truncate of its own.
 */
static uint32_t deferred_steps(const struct xfs_reservation_input *in)
{
    if (!in->parent && in->reflink)
        return EARLY_REFLINK_STEPS;
    if (!in->parent && !in->atomic_write_reservation)
        return 0;
    return (uint32_t)(in->reflink || in->rmapbt) + in->reflink + in->rmapbt;
}

static struct reservation reserve(const struct xfs_reservation_input *in,
                                  const uint32_t item_bytes[ITEM_COUNT],
                                  const struct transaction *row)
{
    struct reservation sum = {.bytes = DQUOTS_BYTES + row->fixed_bytes, .steps = row->steps};

    for (size_t item = 0; item < ITEM_COUNT; item++)
        sum.bytes += row->count[item] * item_bytes[item];
    if (in->parent) {
        sum.bytes += row->parent_bytes;
        sum.steps += row->parent_steps;
    }
    if (row->defers_extents)
        sum.steps += deferred_steps(in);
    return sum;
}

/*
 * Setting the longest attribute that is kept inside a block. Without parent pointers its length in
 * bytes stands in for a number of extents: an old slip, kept like the other early reservations.
 */
static uint32_t attr_set_bytes(const struct xfs_reservation_input *in,
                               const uint32_t item_bytes[ITEM_COUNT])
{
    uint32_t levels = attr_map_levels(in);
    uint32_t value_bytes = in->block_bytes / 4 * 3 - NAME_BYTES - 1;
    uint32_t value_blocks = (uint32_t)divide_up(value_bytes, in->block_bytes);
    uint32_t extents = in->parent ? value_blocks : value_bytes;
    uint32_t blocks = DA_LEVELS * (1 + map_growth_blocks(in, 1, levels)) + value_blocks +
                      map_growth_blocks(in, extents, levels);

    return DQUOTS_BYTES + item_bytes[ITEM_INODE] + item_bytes[ITEM_SECTOR] +
           DA_LEVELS * item_bytes[ITEM_BLOCK] +
           blocks * (item_bytes[ITEM_SECTOR] + levels * item_bytes[ITEM_BLOCK]);
}

static struct reservation largest_reservation(const struct xfs_reservation_input *in)
{
    uint32_t item_bytes[ITEM_COUNT];
    struct reservation largest = {0};

    size_items(in, item_bytes);
    for (size_t i = 0; i < sizeof(transactions) / sizeof(transactions[0]); i++) {
        struct reservation one = reserve(in, item_bytes, &transactions[i]);

        if (one.bytes * one.steps > largest.bytes * largest.steps)
            largest = one;
    }
    /* A single step of it competes with all steps of the others, then counts with all its own. */
    uint32_t attr_bytes = attr_set_bytes(in, item_bytes);

    if (attr_bytes > largest.bytes * largest.steps)
        largest = (struct reservation){.bytes = attr_bytes, .steps = ATTR_STEPS};
    return largest;
}

/* One step as it lies in the log: with operation and record headers and padded twice. */
static uint64_t bytes_in_log(uint32_t step_bytes, uint32_t padding_bytes)
{
    uint64_t room_bytes = LOG_RECORD_BYTES - LOG_RECORD_HEADER_BYTES;
    uint64_t bytes = (uint64_t)step_bytes + 2 * OP_HEADER_BYTES + TRANSACTION_HEADER_BYTES;
    uint64_t records = divide_up(bytes, room_bytes);

    bytes += records * OP_HEADER_BYTES;
    for (; divide_up(bytes, room_bytes) > records; records++)
        bytes += OP_HEADER_BYTES;
    return bytes + (records + 1) * LOG_RECORD_HEADER_BYTES + 2 * (uint64_t)padding_bytes;
}

uint64_t xfs_min_log_blocks(const struct xfs_reservation_input *in)
{
    struct reservation largest = largest_reservation(in);
    uint32_t unit_bytes = in->log_stripe_unit_bytes;
    uint64_t unit_sectors = unit_bytes / BASIC_BLOCK_BYTES;
    uint64_t step_bytes = bytes_in_log(largest.bytes, unit_bytes ? unit_bytes : BASIC_BLOCK_BYTES);
    uint64_t sectors = divide_up(step_bytes * largest.steps, BASIC_BLOCK_BYTES);

    if (unit_sectors)
        sectors = divide_up(sectors, unit_sectors) * unit_sectors + 2 * unit_sectors;
    else
        sectors += 2 * BASIC_BLOCK_BYTES; /* sic: as many sectors as two sectors have bytes */
    return divide_up(sectors * MIN_LOG_FACTOR, in->block_bytes / BASIC_BLOCK_BYTES);
}

uint64_t xfs_max_transaction_bytes(const struct xfs_reservation_input *in)
{
    struct reservation largest = largest_reservation(in);

    return (uint64_t)largest.bytes * largest.steps;
}

uint32_t xfs_ag_log_limit_blocks(const struct xfs_reservation_input *in)
{
    uint64_t header_bytes = (uint64_t)AG_HEADER_SECTORS * in->sector_bytes;
    uint32_t used_blocks = (uint32_t)divide_up(header_bytes, in->block_bytes);

    used_blocks += FREE_LIST_RESERVE_BLOCKS + AG_BTREE_ROOTS;
    used_blocks += (uint32_t)in->finobt + in->rmapbt + in->reflink;
    used_blocks += 1; /* a group must not be left without any free block */
    return in->ag_blocks > used_blocks ? in->ag_blocks - used_blocks : 0;
}
