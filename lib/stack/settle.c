// SPDX-License-Identifier: LGPL-2.1-or-later
// Settles what several sources say about one thing, by the precedence of data/attributes.json.
#include "stack/settle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool same_value(const struct fact *a, const struct fact *b)
{
    if (xa_attribute_table[a->attribute].type == ATTRIBUTE_TYPE_TEXT)
        return strcmp(a->text, b->text) == 0;
    return a->number == b->number;
}

static const char *value_text(const struct fact *fact, char out[SIZE_TEXT_MAX])
{
    if (xa_attribute_table[fact->attribute].type == ATTRIBUTE_TYPE_TEXT)
        return fact->text;
    if (xa_attribute_table[fact->attribute].type == ATTRIBUTE_TYPE_BYTES)
        return xa_size_text(fact->number, out);
    snprintf(out, SIZE_TEXT_MAX, "%" PRIu64, fact->number);
    return out;
}

static void report(enum finding_id id, const struct fact *first, const struct fact *second,
                   struct finding_list *findings)
{
    char a[SIZE_TEXT_MAX], b[SIZE_TEXT_MAX];
    FINDING_ADD(findings, id, ARG_TEXT(xa_attribute_table[first->attribute].id),
                ARG_TEXT(value_text(first, a)), ARG_TEXT(first->source),
                ARG_TEXT(value_text(second, b)), ARG_TEXT(second->source));
}

/* Takes a fact into account; other[] holds an equally strong one that disagrees. */
static void take(struct settled *settled, const struct fact **other, const struct fact *fact,
                 struct finding_list *findings)
{
    const struct attribute_row *row = &xa_attribute_table[fact->attribute];
    const struct fact **held = &settled->fact[fact->attribute];
    unsigned rank = row->rank[fact->kind], held_rank = *held ? row->rank[(*held)->kind] : 0;
    bool differs = *held && row->conflict && !same_value(*held, fact);
    if (differs && rank == held_rank)
        other[fact->attribute] = fact;
    else if (differs && rank)
        report(FINDING_FACT_CONFLICT, rank > held_rank ? fact : *held,
               rank > held_rank ? *held : fact, findings);
    if (rank <= held_rank)
        return;
    *held = fact;
    other[fact->attribute] = NULL;
}

void xa_settle(const struct xfsa_facts *facts, unsigned subject, struct settled *settled,
               struct finding_list *findings)
{
    const struct fact *other[ATTRIBUTE_ROWS] = {NULL};
    *settled = (struct settled){.name = facts->subjects[subject].name};
    for (size_t at = 0; at < facts->count; at++) {
        if (facts->items[at].subject == subject)
            take(settled, other, &facts->items[at], findings);
    }
    for (unsigned at = 0; at < ATTRIBUTE_ROWS; at++) {
        if (!other[at])
            continue;
        report(FINDING_FACT_UNRESOLVED, settled->fact[at], other[at], findings);
        settled->fact[at] = NULL;
    }
}

uint64_t xa_settled_number(const struct settled *settled, enum attribute_id attribute,
                           uint64_t otherwise)
{
    return settled->fact[attribute] ? settled->fact[attribute]->number : otherwise;
}

const char *xa_settled_text(const struct settled *settled, enum attribute_id attribute)
{
    return settled->fact[attribute] ? settled->fact[attribute]->text : NULL;
}
