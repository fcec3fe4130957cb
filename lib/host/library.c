// SPDX-License-Identifier: LGPL-2.1-or-later
// Loads a shared library when it is first needed.
#include "host/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

int xa_library_open(const char *name, const struct library_symbol *symbols, size_t count,
                    void *functions, void **handle)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return -ELIBACC;
    for (size_t at = 0; at < count; at++) {
        void *symbol = dlsym(library, symbols[at].name);
        if (!symbol) {
            dlclose(library);
            return -ELIBACC;
        }
        memcpy((char *)functions + symbols[at].offset, &symbol, sizeof(symbol));
    }
    *handle = library;
    return 0;
}

void xa_library_close(void *handle)
{
    if (handle)
        dlclose(handle);
}
