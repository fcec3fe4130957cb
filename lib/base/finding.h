/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What was found: an id of data/findings.json with its numbers and what mends it. */
#pragma once

#include "base/arena.h"
#include "base/tables.h"
#include "base/text.h"

enum destroys { DESTROYS_NONE, DESTROYS_LABEL, DESTROYS_DATA };

struct fix {
    const char *const *argv; /* ends with NULL; DISK and DEVICE are words to fill in */
    enum destroys destroys;
};

struct finding {
    enum finding_id id;
    struct arg args[TABLE_ARGS];
    struct fix fix; /* argv NULL: none */
};

struct finding_list {
    struct arena *arena; /* owns the texts */
    struct finding *items;
    size_t count, room;
    bool failed; /* an allocation failed and a finding is missing */
};

/* Adds a finding and returns it, or NULL when memory is short. The texts in args are copied. */
struct finding *xa_finding_add(struct finding_list *list, enum finding_id id,
                               const struct arg *args, size_t count);

/* Adds a finding whose args are all numbers. */
#define FINDING_ADD(list, id, ...) \
    xa_finding_add(list, id, (const struct arg[]){__VA_ARGS__}, \
                   sizeof((const struct arg[]){__VA_ARGS__}) / sizeof(struct arg))

#define ARG_NUMBER(value) {(value), NULL}
#define ARG_TEXT(value) {0, (value)}

/* True when a finding of the list blocks the line. */
bool xa_finding_blocks(const struct finding_list *list);

void xa_finding_text(struct buf *buf, const struct finding *finding);
