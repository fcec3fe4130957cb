/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads a shared library when it is first needed. */
#pragma once

#include <stddef.h>

/* A function's name, and where its pointer stands in a struct. */
struct library_symbol {
    const char *name;
    size_t offset;
};

#define LIBRARY_SYMBOL(type, symbol) {#symbol, offsetof(struct type, symbol)}

/*
 * Loads the library and fills in the pointers of functions. Returns 0 or -ELIBACC (no such
 * library, or it lacks a function); handle is to be given to xa_library_close.
 */
int xa_library_open(const char *name, const struct library_symbol *symbols, size_t count,
                    void *functions, void **handle);
/* NULL is allowed. */
void xa_library_close(void *handle);
