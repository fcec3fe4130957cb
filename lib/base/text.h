/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text: a growing buffer, sizes with suffixes, versions, and the places in table texts.
 * Knows nothing of storage.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing string. After a failed allocation it stays failed and drops what follows. */
struct buf {
    char *text;
    size_t length, room;
    bool failed;
};

/* What a place in a table's text is filled with: a number, or a text where the kind says t. */
struct arg {
    uint64_t number;
    const char *text;
};

enum { SIZE_TEXT_MAX = 32 };

void xa_buf_free(struct buf *buf);
void xa_buf_add(struct buf *buf, const char *text, size_t length);
void xa_buf_puts(struct buf *buf, const char *text);
void xa_buf_printf(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Hands the string to the caller (to free); NULL when an allocation failed. */
char *xa_buf_take(struct buf *buf);

/* Fills the places of a table's text; kinds as in tables.h. */
void xa_buf_template(struct buf *buf, const char *text, const char *kinds, const struct arg *args);

/* Writes a size in the largest binary suffix that divides it ("1536k"); returns out. */
char *xa_size_text(uint64_t bytes, char out[SIZE_TEXT_MAX]);

/*
 * Reads a size: digits and an optional suffix k m g t p (binary, either case).
 * Returns 0, -EINVAL (not a size) or -ERANGE (2^63 or more).
 */
int xa_size_parse(const char *text, size_t length, uint64_t *bytes);

/* Reads a plain decimal number; returns as xa_size_parse. */
int xa_number_parse(const char *text, size_t length, uint64_t *number);

/*
 * Reads the leading "MAJOR.MINOR" of a version ("6.1.0-13-amd64" is 6.1) into
 * MAJOR * 1000 + MINOR. Returns 0 or -EINVAL.
 */
int xa_version_parse(const char *text, uint32_t *version);

/* True for well-formed UTF-8. */
bool xa_utf8_valid(const char *text);
