// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds a row of a table by the name in its first field.
#include "base/lookup.h"

#include <string.h>

int xa_lookup(const void *table, size_t rows, size_t row_size, const char *name, size_t length)
{
    for (size_t row = 0; row < rows; row++) {
        const char *id;
        memcpy(&id, (const char *)table + row * row_size, sizeof(id));
        if (strncmp(id, name, length) == 0 && id[length] == '\0')
            return (int)row;
    }
    return -1;
}
