/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads what a descriptor stands for. Never writes, knows nothing of doors. */
#pragma once

#include "base/text.h"

/*
 * Appends a file's text, one newline at its end cut unless raw. one_read: a short read is the
 * end, as in sysfs. Returns 0, -EFBIG, -EILSEQ (a NUL byte), -ENOMEM or what read(2) says.
 */
int xa_file_text(int fd, size_t limit_bytes, bool raw, bool one_read, struct buf *out);

/* 0 for a regular file, else -EISDIR or -ENXIO. */
int xa_file_regular(int fd);

/* Appends the names in a folder, sorted, one a line. Closes fd. -EFBIG: beyond the limit. */
int xa_file_names(int fd, size_t limit_bytes, struct buf *out);

/* Appends what the link says; path "" for fd itself. -ENAMETOOLONG: 4096 bytes or more. */
int xa_file_link(int fd, const char *path, struct buf *out);

/*
 * Appends the words of text, which are set apart by separators, sorted and each once, with one
 * separator between two. Returns 0 or -ENOMEM.
 */
int xa_words_sort(const char *text, char separator, struct buf *out);
