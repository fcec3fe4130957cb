/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A set of KEY=VALUE, as udev and libblkid give them. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

struct property {
    const char *key, *value;
};

struct properties {
    struct arena arena;
    struct property *items;
    size_t count, room;
};

void xa_properties_free(struct properties *set);

/*
 * Sets a key to a value, in place of the one it had; NULL takes it away. A value with a
 * newline is left out. Returns 0 or -ENOMEM.
 */
int xa_properties_set(struct properties *set, const char *key, const char *value);

/* The value of a key, or NULL. */
const char *xa_properties_get(const struct properties *set, const char *key);

/*
 * Appends the lines sorted by key, and the words of those values that are sets in no order.
 * Returns 0 or -ENOMEM.
 */
int xa_properties_write(struct properties *set, struct buf *out);
