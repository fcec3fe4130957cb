/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An answer as it stands in a capture, and the document around it. */
#pragma once

#include <jansson.h>

#include "host/host.h"

/* The entry of an answer, or NULL when memory is short. */
json_t *xa_entry_new(int code, const struct buf *text);

/* A text as {"text": ...} or {"hex": ...}, or NULL. */
json_t *xa_entry_text(const char *text, size_t length);

/* Appends an entry's text and returns its code; -EFBIG: beyond the limit; -ENOMEM. */
int xa_entry_read(const json_t *entry, size_t limit_bytes, struct buf *out);

/* True when an entry is as described in host.h. */
bool xa_entry_valid(const json_t *entry);

/* Reads and checks a whole capture; the caller gives document back to jansson. */
int xa_capture_load(const char *json, size_t length, const char *source, json_t **document,
                    struct xfsa_error *err);

/* Writes a document with its keys sorted. Returns 0 or -ENOMEM. */
int xa_capture_write(const json_t *document, char **out);
