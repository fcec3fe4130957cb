// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory that is freed in one go, for objects of many small parts.
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 2048 };

struct arena_block {
    struct arena_block *next;
    size_t used, room;
    alignas(max_align_t) unsigned char bytes[];
};

static struct arena_block *block_new(size_t room)
{
    if (room > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *block = calloc(1, sizeof(*block) + room);
    if (block)
        block->room = room;
    return block;
}

void *xa_arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    struct arena_block *block = arena->blocks;
    if (!block || block->room - block->used < size) {
        block = block_new(size > BLOCK_BYTES ? size : BLOCK_BYTES);
        if (!block)
            return NULL;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = block->bytes + block->used;
    block->used += size;
    return memory;
}

char *xa_arena_strdup(struct arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = xa_arena_alloc(arena, size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void xa_arena_free(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
