// SPDX-License-Identifier: LGPL-2.1-or-later
// Facts as the sources give them. Nothing here decides which of two facts is right.
#include "source/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lookup.h"
#include "base/text.h"

int xfsa_facts_new(struct xfsa_facts **out)
{
    struct xfsa_facts *facts = calloc(1, sizeof(*facts));
    if (!facts)
        return -ENOMEM;
    *out = facts;
    return 0;
}

void xfsa_facts_free(struct xfsa_facts *facts)
{
    if (!facts)
        return;
    xa_arena_free(&facts->arena);
    free(facts->items);
    free(facts->subjects);
    free(facts);
}

int xa_facts_subject(struct xfsa_facts *facts, const char *name)
{
    for (size_t at = 0; name && at < facts->subject_count; at++) {
        if (facts->subjects[at].name && strcmp(facts->subjects[at].name, name) == 0)
            return (int)at;
    }
    if (facts->subject_count == facts->subject_room) {
        size_t room = facts->subject_room ? facts->subject_room * 2 : 4;
        struct subject *subjects = realloc(facts->subjects, room * sizeof(*subjects));
        if (!subjects)
            return -ENOMEM;
        facts->subjects = subjects;
        facts->subject_room = room;
    }
    const char *copy = name ? xa_arena_strdup(&facts->arena, name) : NULL;
    if (name && !copy)
        return -ENOMEM;
    facts->subjects[facts->subject_count] = (struct subject){.name = copy};
    return (int)facts->subject_count++;
}

int xa_fact_check(enum attribute_id attribute, uint64_t number)
{
    const struct attribute_row *row = &xa_attribute_table[attribute];
    if (row->type == ATTRIBUTE_TYPE_FLAG && number > 1)
        return -EINVAL;
    if (number < (uint64_t)row->min || number > (uint64_t)row->max)
        return -ERANGE;
    return 0;
}

int xa_facts_add(struct xfsa_facts *facts, const struct fact *fact)
{
    if (facts->count == facts->room) {
        size_t room = facts->room ? facts->room * 2 : 16;
        struct fact *items = realloc(facts->items, room * sizeof(*items));
        if (!items)
            return -ENOMEM;
        facts->items = items;
        facts->room = room;
    }
    struct fact copy = *fact;
    copy.source = xa_arena_strdup(&facts->arena, fact->source);
    copy.text = fact->text ? xa_arena_strdup(&facts->arena, fact->text) : NULL;
    if (!copy.source || (fact->text && !copy.text))
        return -ENOMEM;
    facts->items[facts->count++] = copy;
    return 0;
}

int xfsa_facts_describe(struct xfsa_facts *facts, const char *description, struct xfsa_error *err)
{
    if (!description)
        return xa_fail(err, -EINVAL, "geometry", "the description is empty");
    return xa_source_description(facts, description, err);
}

static int parse_value(const struct attribute_row *row, const char *value, uint64_t *number)
{
    size_t length = strlen(value);
    if (row == &xa_attribute_table[ATTRIBUTE_LEVEL])
        return XA_LOOKUP(xa_level_table, value, length) < 0 ? -EINVAL : 0;
    if (row->type == ATTRIBUTE_TYPE_TEXT)
        return length && length < 256 && xa_utf8_valid(value) ? 0 : -EINVAL;
    if (row->type == ATTRIBUTE_TYPE_BYTES)
        return xa_size_parse(value, length, number);
    return xa_number_parse(value, length, number);
}

int xfsa_facts_add(struct xfsa_facts *facts, const char *subject, const char *attribute,
                   const char *value, const char *source, struct xfsa_error *err)
{
    if (!attribute || !value || !source || !xa_utf8_valid(source) ||
        (subject && (!*subject || !xa_utf8_valid(subject))))
        return xa_fail(err, -EINVAL, "facts", "a name, value or source is missing or not UTF-8");
    int which = XA_LOOKUP(xa_attribute_table, attribute, strlen(attribute));
    if (which < 0)
        return xa_fail(err, -EINVAL, source, "no attribute is called %.40s", attribute);
    struct fact fact = {.attribute = (enum attribute_id)which, .kind = SOURCE_KIND_USER,
                        .source = source};
    int code = parse_value(&xa_attribute_table[which], value, &fact.number);
    if (!code && xa_attribute_table[which].type != ATTRIBUTE_TYPE_TEXT)
        code = xa_fact_check(fact.attribute, fact.number);
    if (code)
        return xa_fail(err, code, source, "%s: %.60s is no value for it", attribute, value);
    if (xa_attribute_table[which].type == ATTRIBUTE_TYPE_TEXT)
        fact.text = value;
    int number = xa_facts_subject(facts, subject);
    if (number < 0)
        return xa_fail_memory(err, source);
    fact.subject = (unsigned)number;
    facts->subjects[number].wanted = true;
    return xa_facts_add(facts, &fact) ? xa_fail_memory(err, source) : 0;
}
