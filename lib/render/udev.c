// SPDX-License-Identifier: LGPL-2.1-or-later
// A format: udev rules that set the queue's limits whenever the devices appear.
#include "render/render.h"

void xa_render_udev(const struct xfsa_advice *advice, unsigned flags, struct buf *buf)
{
    (void)flags;
    /* The number is above that of the rules which find out MD_UUID and ID_SERIAL. */
    xa_buf_puts(buf, "# xfsadvise: for /etc/udev/rules.d/99-xfsadvise.rules\n");
    for (size_t at = 0; at < advice->count; at++) {
        const struct advice_item *item = &advice->items[at];
        size_t before = buf->length;
        xa_line_udev(item, buf);
        for (const struct queue_line *line = item->queue; line; line = line->next) {
            if (!line->match)
                xa_buf_printf(buf, "# %s: no serial or UUID is known to match it by\n",
                              line->path);
        }
        if (buf->length == before)
            xa_buf_printf(buf, "# %s: nothing to set\n", item->name ? item->name : "array");
    }
}
