// SPDX-License-Identifier: LGPL-2.1-or-later
// A format: lines for /etc/fstab, one for each device; a comment where there is none.
#include "render/render.h"

void xa_render_fstab(const struct xfsa_advice *advice, unsigned flags, struct buf *buf)
{
    (void)flags;
    for (size_t at = 0; at < advice->count; at++) {
        const struct advice_item *item = &advice->items[at];
        if (item->blocked)
            xa_buf_printf(buf, "# %s: blocked, see xfsadvise's errors",
                          item->name ? item->name : "array");
        else
            xa_line_fstab(item, buf);
        xa_buf_puts(buf, "\n");
    }
}
