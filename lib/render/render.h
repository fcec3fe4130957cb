/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output formats: one file and one row each. */
#pragma once

#include "render/line.h"

/* Each writes the whole advice into buf, which is marked failed when memory is short. */
void xa_render_json(const struct xfsa_advice *advice, unsigned flags, struct buf *buf);
void xa_render_shell(const struct xfsa_advice *advice, unsigned flags, struct buf *buf);
void xa_render_fstab(const struct xfsa_advice *advice, unsigned flags, struct buf *buf);
void xa_render_udev(const struct xfsa_advice *advice, unsigned flags, struct buf *buf);
void xa_render_table(const struct xfsa_advice *advice, unsigned flags, struct buf *buf);
