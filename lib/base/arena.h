/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that is freed in one go, for objects of many small parts. */
#pragma once

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *blocks;
};

/* Zeroed memory of that size, or NULL. */
void *xa_arena_alloc(struct arena *arena, size_t size);
/* A copy of the text, or NULL. */
char *xa_arena_strdup(struct arena *arena, const char *text);
void xa_arena_free(struct arena *arena);
