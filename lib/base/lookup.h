/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds a row of a table by the name in its first field. */
#pragma once

#include <stddef.h>

/*
 * The number of the row whose first member, a const char *, is the length bytes at name;
 * -1 if there is none.
 */
int xa_lookup(const void *table, size_t rows, size_t row_size, const char *name, size_t length);

#define XA_LOOKUP(table, name, length) \
    xa_lookup(table, sizeof(table) / sizeof((table)[0]), sizeof((table)[0]), name, length)
