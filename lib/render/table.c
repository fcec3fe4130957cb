// SPDX-License-Identifier: LGPL-2.1-or-later
// A format: one row for each device, for a person who looks at many.
#include <inttypes.h>
#include <stdio.h>

#include "render/render.h"

static const char *worst_finding(const struct advice_item *item)
{
    const struct finding_row *worst = NULL;
    for (size_t at = 0; at < item->findings.count; at++) {
        const struct finding_row *row = &xa_finding_table[item->findings.items[at].id];
        if (row->severity != SEVERITY_NOTE && (!worst || row->severity > worst->severity))
            worst = row;
    }
    return worst ? worst->id : "-";
}

static void write_row(const struct advice_item *item, struct buf *buf)
{
    const struct geometry *g = &item->geometry;
    char size[SIZE_TEXT_MAX], unit[SIZE_TEXT_MAX], stripe[64] = "-", ags[24] = "-";
    if (item->setting[SETTING_MKFS_DATA_SU].has_value)
        snprintf(stripe, sizeof(stripe), "%s x %" PRIu64,
                 xa_size_text(item->setting[SETTING_MKFS_DATA_SU].number, unit),
                 item->setting[SETTING_MKFS_DATA_SW].number);
    if (item->predicted)
        snprintf(ags, sizeof(ags), "%" PRIu64, item->outcome.ag_count);
    xa_buf_printf(buf, "%-20s %-7s %6s %12s %6s  %s\n", item->name ? item->name : "-",
                  g->level_known ? xa_level_table[g->shape.level].id : "-",
                  g->size_bytes ? xa_size_text(g->size_bytes >> 30 << 30, size) : "-", stripe,
                  ags, worst_finding(item));
}

void xa_render_table(const struct xfsa_advice *advice, unsigned flags, struct buf *buf)
{
    (void)flags;
    xa_buf_puts(buf, "DEVICE               LEVEL     SIZE       STRIPE    AGS  WORST FINDING\n");
    for (size_t at = 0; at < advice->count; at++)
        write_row(&advice->items[at], buf);
}
