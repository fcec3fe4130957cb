// SPDX-License-Identifier: LGPL-2.1-or-later
// An answer as it stands in a capture, and the document around it. Asks no door.
#include "host/entry.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/lookup.h"
#include "host/door.h"

enum { MOST_ERRNO = 4095 };

/* Numbers of errors differ between machines, names do not. */
#define ERROR(name) {#name, name}
static const struct {
    const char *name;
    int number;
} errors[] = {
    ERROR(ENOENT),    ERROR(ENODATA),    ERROR(EINVAL),       ERROR(EACCES),
    ERROR(EPERM),     ERROR(EIO),        ERROR(ENXIO),        ERROR(ENODEV),
    ERROR(ENOTBLK),   ERROR(ENOTDIR),    ERROR(EISDIR),       ERROR(EFBIG),
    ERROR(EILSEQ),    ERROR(ELOOP),      ERROR(EBADMSG),      ERROR(ELIBACC),
    ERROR(EAGAIN),    ERROR(EBUSY),      ERROR(ENOMEM),       ERROR(ENAMETOOLONG),
    ERROR(EMFILE),    ERROR(ENFILE),     ERROR(ENOTTY),       ERROR(ENOMEDIUM),
    ERROR(EROFS),     ERROR(ERANGE),     ERROR(EOVERFLOW),    ERROR(EOPNOTSUPP),
    ERROR(ENOSYS),    ERROR(ETIMEDOUT),  ERROR(ESTALE),       ERROR(EREMOTEIO),
    ERROR(EEXIST),    ERROR(ENOSPC),     ERROR(EMEDIUMTYPE),
};

static json_t *new_error(int code)
{
    for (unsigned at = 0; at < sizeof(errors) / sizeof(errors[0]); at++) {
        if (errors[at].number == -code)
            return json_string_nocheck(errors[at].name);
    }
    return json_integer(-code);
}

static json_t *new_hex(const char *text, size_t length)
{
    struct buf hex = {0};
    for (size_t at = 0; at < length; at++)
        xa_buf_printf(&hex, "%02x", (unsigned char)text[at]);
    json_t *value = hex.failed ? NULL : json_stringn_nocheck(hex.text, hex.length);
    xa_buf_free(&hex);
    return value;
}

/* An object of one key; takes over value. */
static json_t *new_entry(const char *key, json_t *value)
{
    json_t *entry = json_object();
    if (!entry || !value) {
        json_decref(entry);
        json_decref(value);
        return NULL;
    }
    if (json_object_set_new_nocheck(entry, key, value)) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

json_t *xa_entry_text(const char *text, size_t length)
{
    if (xa_utf8_valid(text))
        return new_entry("text", json_stringn_nocheck(text, length));
    return new_entry("hex", new_hex(text, length));
}

json_t *xa_entry_new(int code, const struct buf *text)
{
    return code ? new_entry("error", new_error(code)) : xa_entry_text(text->text, text->length);
}

/* The number of an error, or 0 when it is none. */
static int error_number(const json_t *error)
{
    if (json_is_integer(error)) {
        json_int_t number = json_integer_value(error);
        return number > 0 && number <= MOST_ERRNO ? (int)number : 0;
    }
    const char *name = json_string_value(error);
    int which = name ? XA_LOOKUP(errors, name, strlen(name)) : -1;
    return which < 0 ? 0 : errors[which].number;
}

/* The value of a hexadecimal digit, small letters only; -1 for others. */
static int digit_value(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = digit ? strchr(digits, digit) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool hex_valid(const char *hex)
{
    size_t length = strlen(hex);
    for (size_t at = 0; at < length; at++) {
        if (digit_value(hex[at]) < 0)
            return false;
        if (at % 2 && hex[at] == '0' && hex[at - 1] == '0')
            return false;
    }
    return length % 2 == 0;
}

static void read_hex(const char *hex, struct buf *out)
{
    for (; *hex; hex += 2) {
        char byte = (char)(digit_value(hex[0]) * 16 + digit_value(hex[1]));
        xa_buf_add(out, &byte, 1);
    }
}

int xa_entry_read(const json_t *entry, size_t limit_bytes, struct buf *out)
{
    const json_t *error = json_object_get(entry, "error");
    if (error)
        return -error_number(error);
    const char *text = json_string_value(json_object_get(entry, "text"));
    if (text)
        xa_buf_puts(out, text);
    else
        read_hex(json_string_value(json_object_get(entry, "hex")), out);
    if (out->failed)
        return -ENOMEM;
    return out->length > limit_bytes ? -EFBIG : 0;
}

bool xa_entry_valid(const json_t *entry)
{
    if (json_object_size(entry) != 1)
        return false;
    const json_t *error = json_object_get(entry, "error");
    const json_t *hex = json_object_get(entry, "hex");
    if (error)
        return error_number(error) != 0;
    if (hex)
        return json_is_string(hex) && hex_valid(json_string_value(hex));
    return json_is_string(json_object_get(entry, "text"));
}

static int check_head(const json_t *document, const char *source, struct xfsa_error *err)
{
    const json_t *schema = json_object_get(document, "schema");
    const char *tool = json_string_value(json_object_get(document, "tool"));
    if (!tool || strcmp(tool, "xfsadvise") != 0 ||
        !json_is_true(json_object_get(document, "capture")))
        return xa_fail(err, -EBADMSG, source, "not a capture of xfsadvise");
    if (!json_is_integer(schema))
        return xa_fail(err, -EBADMSG, source, "the capture has no schema number");
    if (json_integer_value(schema) != 1)
        return xa_fail(err, -EBADMSG, source, "a capture of schema %lld; only 1 is known",
                       (long long)json_integer_value(schema));
    if (!json_is_string(json_object_get(document, "version")))
        return xa_fail(err, -EBADMSG, source, "the capture has no text \"version\"");
    return 0;
}

static int check_devices(json_t *document, const char *source, struct xfsa_error *err)
{
    const json_t *devices = json_object_get(document, "devices");
    bool good = json_is_array(devices);
    for (size_t at = 0; good && at < json_array_size(devices); at++)
        good = json_is_string(json_array_get(devices, at));
    if (!good)
        return xa_fail(err, -EBADMSG, source, "\"devices\" in the capture is no list of texts");
    const json_t *target = json_object_get(document, "target");
    for (unsigned which = 0; which < TARGET_KINDS; which++) {
        const json_t *value = json_object_get(target, xa_target_names[which]);
        if (!json_is_null(value) && !json_is_string(value))
            return xa_fail(err, -EBADMSG, source,
                           "\"target\" in the capture has no text or null \"%s\"",
                           xa_target_names[which]);
    }
    return 0;
}

static int check_sections(json_t *document, const char *source, struct xfsa_error *err)
{
    for (unsigned kind = 0; kind < QUESTION_RECORDED; kind++) {
        json_t *section = json_object_get(document, xa_question_names[kind]);
        const char *name;
        json_t *entry;
        if (!json_is_object(section))
            return xa_fail(err, -EBADMSG, source, "the capture has no object \"%s\"",
                           xa_question_names[kind]);
        json_object_foreach(section, name, entry) {
            if (!xa_entry_valid(entry))
                return xa_fail(err, -EBADMSG, source, "\"%s\" of \"%.120s\" is no answer",
                               xa_question_names[kind], name);
        }
    }
    return 0;
}

/* jansson has no text for what it does not know: memory. */
static int fail_parse(const json_error_t *error, const char *source, struct xfsa_error *err)
{
    if (!error->text[0] || json_error_code(error) == json_error_out_of_memory)
        return xa_fail_memory(err, source);
    xa_fail(err, -EBADMSG, source, "not JSON that can be read: %.160s", error->text);
    if (err && error->line > 0)
        err->line = (unsigned)error->line;
    return -EBADMSG;
}

int xa_capture_load(const char *json, size_t length, const char *source, json_t **document,
                    struct xfsa_error *err)
{
    json_error_t error;
    if (length > HOST_CAPTURE_BYTES)
        return xa_fail(err, -EBADMSG, source, "too large for a capture");
    json_t *loaded = json_loadb(json, length, JSON_REJECT_DUPLICATES, &error);
    if (!loaded)
        return fail_parse(&error, source, err);
    int code = check_head(loaded, source, err);
    if (!code)
        code = check_devices(loaded, source, err);
    if (!code)
        code = check_sections(loaded, source, err);
    if (code) {
        json_decref(loaded);
        return code;
    }
    *document = loaded;
    return 0;
}

static int write_part(const char *text, size_t length, void *data)
{
    struct buf *out = data;
    xa_buf_add(out, text, length);
    return out->failed ? -1 : 0;
}

int xa_capture_write(const json_t *document, char **out)
{
    struct buf text = {0};
    if (json_dump_callback(document, write_part, &text, JSON_SORT_KEYS | JSON_INDENT(1))) {
        xa_buf_free(&text);
        return -ENOMEM;
    }
    xa_buf_puts(&text, "\n");
    char *taken = xa_buf_take(&text);
    if (!taken)
        return -ENOMEM;
    *out = taken;
    return 0;
}
