/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens paths in a folder as if it were the root: no link leads out of it. */
#pragma once

#include "base/text.h"

/* Opens path below root with openat2, or step by step where the kernel has none. */
int xa_walk_open(int root, const char *path, int flags);

/* The same, always step by step. */
int xa_walk_open_steps(int root, const char *path, int flags);

/*
 * Writes the path below root without links in it; "" is root itself. The last component may
 * be missing; it is not followed unless follow. Returns 0, -ELOOP, -ENOENT, -ENAMETOOLONG, ...
 */
int xa_walk_resolve(int root, const char *path, bool follow, struct buf *out);
