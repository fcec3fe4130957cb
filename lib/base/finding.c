// SPDX-License-Identifier: LGPL-2.1-or-later
// What was found: an id of data/findings.json with its numbers and what mends it.
#include "base/finding.h"

#include <string.h>

static bool list_reserve(struct finding_list *list)
{
    if (list->count < list->room)
        return true;
    size_t room = list->room ? list->room * 2 : 8;
    struct finding *items = xa_arena_alloc(list->arena, room * sizeof(*items));
    if (!items)
        return false;
    if (list->count)
        memcpy(items, list->items, list->count * sizeof(*items));
    list->items = items;
    list->room = room;
    return true;
}

struct finding *xa_finding_add(struct finding_list *list, enum finding_id id,
                               const struct arg *args, size_t count)
{
    struct finding finding = {.id = id};
    for (size_t at = 0; at < count; at++) {
        finding.args[at] = args[at];
        if (!args[at].text)
            continue;
        finding.args[at].text = xa_arena_strdup(list->arena, args[at].text);
        if (!finding.args[at].text)
            list->failed = true;
    }
    if (list->failed || !list_reserve(list)) {
        list->failed = true;
        return NULL;
    }
    list->items[list->count] = finding;
    return &list->items[list->count++];
}

bool xa_finding_blocks(const struct finding_list *list)
{
    for (size_t at = 0; at < list->count; at++) {
        if (xa_finding_table[list->items[at].id].blocks)
            return true;
    }
    return false;
}

void xa_finding_text(struct buf *buf, const struct finding *finding)
{
    const struct finding_row *row = &xa_finding_table[finding->id];
    xa_buf_template(buf, row->text, row->kinds, finding->args);
}
