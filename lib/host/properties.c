// SPDX-License-Identifier: LGPL-2.1-or-later
// A set of KEY=VALUE, as udev and libblkid give them.
#include "host/properties.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "host/file.h"

/* Values that are sets: libudev gives their words in the order of a hash. */
static const struct {
    const char *key;
    char separator;
    bool around; /* a separator at both ends */
} word_sets[] = {
    {"CURRENT_TAGS", ':', true},
    {"DEVLINKS", ' ', false},
    {"TAGS", ':', true},
};

void xa_properties_free(struct properties *set)
{
    xa_arena_free(&set->arena);
    free(set->items);
    *set = (struct properties){0};
}

static struct property *find(const struct properties *set, const char *key)
{
    for (size_t at = 0; at < set->count; at++) {
        if (strcmp(set->items[at].key, key) == 0)
            return &set->items[at];
    }
    return NULL;
}

static struct property *add(struct properties *set, const char *key)
{
    if (set->count == set->room) {
        size_t room = set->room ? set->room * 2 : 32;
        struct property *items = realloc(set->items, room * sizeof(*items));
        if (!items)
            return NULL;
        set->items = items;
        set->room = room;
    }
    const char *copy = xa_arena_strdup(&set->arena, key);
    if (!copy)
        return NULL;
    set->items[set->count] = (struct property){.key = copy};
    return &set->items[set->count++];
}

int xa_properties_set(struct properties *set, const char *key, const char *value)
{
    struct property *item = find(set, key);
    if (!value || strchr(value, '\n') || strchr(key, '\n')) {
        if (item)
            *item = set->items[--set->count];
        return 0;
    }
    const char *copy = xa_arena_strdup(&set->arena, value);
    if (!item && copy)
        item = add(set, key);
    if (!item || !copy)
        return -ENOMEM;
    item->value = copy;
    return 0;
}

const char *xa_properties_get(const struct properties *set, const char *key)
{
    const struct property *item = find(set, key);
    return item ? item->value : NULL;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct property *)a)->key, ((const struct property *)b)->key);
}

static int write_value(const struct property *item, struct buf *out)
{
    int which = XA_LOOKUP(word_sets, item->key, strlen(item->key));
    if (which < 0) {
        xa_buf_puts(out, item->value);
        return 0;
    }
    const char *edge = &word_sets[which].separator;
    xa_buf_add(out, edge, word_sets[which].around);
    int code = xa_words_sort(item->value, word_sets[which].separator, out);
    xa_buf_add(out, edge, word_sets[which].around);
    return code;
}

int xa_properties_write(struct properties *set, struct buf *out)
{
    int code = 0;
    if (set->count)
        qsort(set->items, set->count, sizeof(*set->items), compare_keys);
    for (size_t at = 0; !code && at < set->count; at++) {
        if (at)
            xa_buf_add(out, "\n", 1);
        xa_buf_puts(out, set->items[at].key);
        xa_buf_add(out, "=", 1);
        code = write_value(&set->items[at], out);
    }
    return out->failed ? -ENOMEM : code;
}
