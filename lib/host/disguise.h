/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Replaces secrets by others of the same shape: the same original by the same replacement. What
 * is a secret is the caller's business.
 */
#pragma once

#include <jansson.h>

#include "base/arena.h"
#include "base/text.h"

enum { DISGUISE_BUCKETS = 1024 };

struct disguise_word;

struct disguise {
    struct arena arena;
    json_t *numbers; /* of each original, without its punctuation where it is hexadecimal */
    json_t *words;   /* replacement of each original */
    struct disguise_word *buckets[DISGUISE_BUCKETS]; /* those that are looked for in texts */
    bool failed;     /* an allocation failed */
};

/* Returns 0 or -ENOMEM. */
int xa_disguise_init(struct disguise *disguise);
void xa_disguise_free(struct disguise *disguise);

/*
 * Appends the replacement of a name or number. Words that say what kind it is stay: "0x",
 * "naa.", "LVM-", "-part1", ...
 */
void xa_disguise_name(struct disguise *disguise, const char *name, size_t length,
                      struct buf *out);

/* Appends a text in which the secrets met so far, if they cannot be mistaken, are replaced. */
void xa_disguise_text(struct disguise *disguise, const char *text, size_t length,
                      struct buf *out);
