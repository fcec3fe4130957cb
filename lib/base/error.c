// SPDX-License-Identifier: LGPL-2.1-or-later
// Fills the caller's struct xfsa_error. Prints nothing.
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void make_printable(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++) {
        if (*at < 0x20 || *at == 0x7f)
            *at = '?';
    }
}

int xa_fail(struct xfsa_error *err, int code, const char *source, const char *format, ...)
{
    if (!err)
        return code;
    va_list args;
    va_start(args, format);
    err->code = code;
    err->line = 0;
    snprintf(err->source, sizeof(err->source), "%s", source);
    vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    make_printable(err->source);
    make_printable(err->text);
    return code;
}

int xa_fail_memory(struct xfsa_error *err, const char *source)
{
    return xa_fail(err, -ENOMEM, source, "out of memory");
}
