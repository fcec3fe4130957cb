/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fills the caller's struct xfsa_error. */
#pragma once

#include "xfsadvise.h"

/*
 * Fills err (may be NULL) and returns code, a negative errno. Bytes that would disturb a
 * terminal are replaced in the text.
 */
int xa_fail(struct xfsa_error *err, int code, const char *source, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Out of memory: fills err and returns -ENOMEM. */
int xa_fail_memory(struct xfsa_error *err, const char *source);
