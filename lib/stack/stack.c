// SPDX-License-Identifier: LGPL-2.1-or-later
// The layers from a device down to what stripes it, joined from the facts of each.
#include "stack/stack.h"

#include <string.h>

enum { MOST_LAYERS = 64 };

static int find_subject(const struct xfsa_facts *facts, const char *name)
{
    for (size_t at = 0; at < facts->subject_count; at++) {
        if (facts->subjects[at].name && strcmp(facts->subjects[at].name, name) == 0)
            return (int)at;
    }
    return -1;
}

static const struct device_row *kind_of(const struct settled *settled)
{
    const struct fact *kind = settled->fact[ATTRIBUTE_KIND];
    return kind && kind->number < DEVICE_ROWS ? &xa_device_table[kind->number] : NULL;
}

/* A layer whose own table or array is not looked into. */
static bool opaque(const struct device_row *kind)
{
    return kind && (strcmp(kind->id, "dm") == 0 || strcmp(kind->id, "bcache") == 0);
}

static bool stacked(const struct device_row *kind)
{
    return opaque(kind) || (kind && strcmp(kind->id, "md") == 0);
}

static size_t count_lower(const struct xfsa_facts *facts, unsigned subject)
{
    size_t count = 0;
    for (size_t at = 0; at < facts->count; at++)
        count += facts->items[at].subject == subject &&
                 facts->items[at].attribute == ATTRIBUTE_LOWER;
    return count;
}

static void add_member(const struct xfsa_facts *facts, const char *name, struct stack *stack)
{
    int subject = find_subject(facts, name);
    struct member *member = &stack->members[stack->member_count++];
    member->name = member->disk = name;
    for (size_t at = 0; subject >= 0 && at < facts->count; at++) {
        const struct fact *fact = &facts->items[at];
        if (fact->subject != (unsigned)subject)
            continue;
        if (fact->attribute == ATTRIBUTE_MAX_SECTORS_KIB)
            member->max_sectors = fact;
        else if (fact->attribute == ATTRIBUTE_MAX_HW_SECTORS_KIB)
            member->max_hw_sectors = fact;
        else if (fact->attribute == ATTRIBUTE_LOWER)
            member->disk = fact->text;
        else if (fact->attribute == ATTRIBUTE_SERIAL)
            member->serial = fact->text;
        else if (fact->attribute == ATTRIBUTE_KIND && stacked(&xa_device_table[fact->number]))
            stack->unresolved = name;
    }
}

/* The members of an md array; one that is an array itself hides what is below. */
static void add_members(const struct xfsa_facts *facts, unsigned subject, struct arena *arena,
                        struct stack *stack)
{
    size_t count = count_lower(facts, subject);
    stack->members = xa_arena_alloc(arena, (count + 1) * sizeof(*stack->members));
    if (!stack->members) {
        stack->failed = true;
        return;
    }
    for (size_t at = 0; at < facts->count; at++) {
        const struct fact *fact = &facts->items[at];
        if (fact->subject == subject && fact->attribute == ATTRIBUTE_LOWER)
            add_member(facts, fact->text, stack);
    }
}

void xa_stack_build(const struct xfsa_facts *facts, unsigned subject, struct arena *arena,
                    struct stack *stack, struct finding_list *findings)
{
    *stack = (struct stack){0};
    xa_settle(facts, subject, &stack->top, findings);
    stack->base = stack->top;
    for (unsigned layers = 0; stack->base.fact[ATTRIBUTE_START]; layers++) {
        const char *lower = xa_settled_text(&stack->base, ATTRIBUTE_LOWER);
        int below = lower ? find_subject(facts, lower) : -1;
        stack->offset_bytes += xa_settled_number(&stack->base, ATTRIBUTE_START, 0);
        if (below < 0 || layers == MOST_LAYERS) {
            stack->unresolved = lower ? lower : stack->base.name;
            return;
        }
        subject = (unsigned)below;
        xa_settle(facts, subject, &stack->base, findings);
    }
    stack->kind = kind_of(&stack->base);
    if (opaque(stack->kind))
        stack->unresolved = stack->base.name;
    else if (stack->kind && strcmp(stack->kind->id, "md") == 0)
        add_members(facts, subject, arena, stack);
}

const struct fact *xa_stack_fact(const struct stack *stack, enum attribute_id attribute)
{
    const struct fact *fact = stack->top.fact[attribute];
    return fact ? fact : stack->base.fact[attribute];
}

const char *xa_stack_text(const struct stack *stack, enum attribute_id attribute)
{
    const struct fact *fact = xa_stack_fact(stack, attribute);
    return fact ? fact->text : NULL;
}

uint64_t xa_stack_number(const struct stack *stack, enum attribute_id attribute,
                         uint64_t otherwise)
{
    const struct fact *fact = xa_stack_fact(stack, attribute);
    return fact ? fact->number : otherwise;
}
