/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The layers from a device down to what stripes it, joined from the facts of each. */
#pragma once

#include "stack/settle.h"

struct member {
    const char *name;
    const char *disk;   /* that drives it: the name, or the disk of a partition */
    const char *serial; /* NULL: not read */
    const struct fact *max_sectors, *max_hw_sectors; /* KiB; NULL: not known */
};

struct stack {
    struct settled top;  /* the device the file system goes on */
    struct settled base; /* the array or disk that stripes it; the same when there is one layer */
    uint64_t offset_bytes;       /* where the top starts in the base */
    const char *unresolved;      /* a layer that cannot be seen through; NULL: none */
    const struct device_row *kind; /* of the base; NULL: not of a machine */
    struct member *members;      /* of an md base; in the arena */
    size_t member_count;
    bool failed; /* out of memory */
};

/* Builds the stack below one subject. */
void xa_stack_build(const struct xfsa_facts *facts, unsigned subject, struct arena *arena,
                    struct stack *stack, struct finding_list *findings);

/* A fact of the top, else of the base; NULL: neither. */
const struct fact *xa_stack_fact(const struct stack *stack, enum attribute_id attribute);
/* Its text, or NULL. */
const char *xa_stack_text(const struct stack *stack, enum attribute_id attribute);
/* Its number, or otherwise. */
uint64_t xa_stack_number(const struct stack *stack, enum attribute_id attribute,
                         uint64_t otherwise);
