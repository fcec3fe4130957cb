// SPDX-License-Identifier: LGPL-2.1-or-later
// The recorder, which keeps every answer of another door, and the door that gives them again.
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/door.h"
#include "host/entry.h"

struct capture {
    struct host host; /* first */
    json_t *document;
};

struct recorder {
    struct host host; /* first */
    struct host *inner;
    json_t *sections[QUESTION_RECORDED];
};

static int capture_target(const struct capture *capture, const char *what, struct buf *out)
{
    const json_t *target = json_object_get(capture->document, "target");
    const char *text = json_string_value(json_object_get(target, what));
    if (!text)
        return -ENOENT;
    xa_buf_puts(out, text);
    return 0;
}

static int capture_ask(struct host *host, const struct question *question, struct buf *out)
{
    const struct capture *capture = (const struct capture *)host;
    if (question->kind == QUESTION_TARGET)
        return capture_target(capture, question->name, out);
    const json_t *section = json_object_get(capture->document,
                                            xa_question_names[question->kind]);
    const json_t *entry = json_object_get(section, question->name);
    return entry ? xa_entry_read(entry, question->limit_bytes, out) : -ENODATA;
}

static void capture_close(struct host *host)
{
    json_decref(((struct capture *)host)->document);
    free(host);
}

static const struct door capture_door = {capture_ask, capture_close};

int xa_host_capture(const char *json, size_t length, const char *source, struct host **out,
                    struct xfsa_error *err)
{
    struct capture *capture = calloc(1, sizeof(*capture));
    if (!capture)
        return xa_fail_memory(err, source);
    int code = xa_capture_load(json, length, source, &capture->document, err);
    if (code) {
        free(capture);
        return code;
    }
    capture->host.door = &capture_door;
    *out = &capture->host;
    return 0;
}

int xa_host_capture_devices(const struct host *host, size_t index, const char **name)
{
    if (host->door != &capture_door)
        return -ENOENT;
    const json_t *document = ((const struct capture *)host)->document;
    const json_t *device = json_array_get(json_object_get(document, "devices"), index);
    if (!device)
        return -ENOENT;
    *name = json_string_value(device);
    return 0;
}

/* A question that was asked before gets the answer that stands in the capture. */
static int recorder_ask(struct host *host, const struct question *question, struct buf *out)
{
    struct recorder *recorder = (struct recorder *)host;
    if (question->kind == QUESTION_TARGET)
        return xa_host_target(recorder->inner, question->name, out);
    json_t *section = recorder->sections[question->kind];
    const json_t *known = json_object_get(section, question->name);
    if (known)
        return xa_entry_read(known, question->limit_bytes, out);
    int code = xa_host_ask(recorder->inner, question, out);
    if (code == -ENOMEM)
        return code;
    json_t *entry = xa_entry_new(code, out);
    if (!entry || json_object_set_new_nocheck(section, question->name, entry))
        return -ENOMEM;
    return code;
}

static void recorder_free(struct recorder *recorder)
{
    for (unsigned kind = 0; kind < QUESTION_RECORDED; kind++)
        json_decref(recorder->sections[kind]);
    free(recorder);
}

static void recorder_close(struct host *host)
{
    struct recorder *recorder = (struct recorder *)host;
    xa_host_free(recorder->inner);
    recorder_free(recorder);
}

static const struct door recorder_door = {recorder_ask, recorder_close};

int xa_host_recorder(struct host *inner, struct host **out)
{
    struct recorder *recorder = calloc(1, sizeof(*recorder));
    if (!recorder)
        return -ENOMEM;
    recorder->host.door = &recorder_door;
    recorder->inner = inner;
    for (unsigned kind = 0; kind < QUESTION_RECORDED; kind++) {
        recorder->sections[kind] = json_object();
        if (!recorder->sections[kind]) {
            recorder_free(recorder);
            return -ENOMEM;
        }
    }
    *out = &recorder->host;
    return 0;
}

/* Puts value into the document and gives up the reference. Returns 0 or -ENOMEM. */
static int put(json_t *document, const char *key, json_t *value)
{
    return value && json_object_set_new_nocheck(document, key, value) == 0 ? 0 : -ENOMEM;
}

static int put_target(struct host *host, json_t *target)
{
    struct buf text = {0};
    int code = 0;
    for (unsigned which = 0; !code && which < TARGET_KINDS; which++) {
        code = xa_host_target(host, xa_target_names[which], &text);
        if (code != -ENOMEM)
            code = put(target, xa_target_names[which],
                       code || !xa_utf8_valid(text.text) ? json_null()
                                                         : json_string_nocheck(text.text));
    }
    xa_buf_free(&text);
    return code;
}

static int put_devices(json_t *document, const char *const *devices, size_t count)
{
    json_t *list = json_array();
    int code = put(document, "devices", list);
    for (size_t at = 0; !code && at < count; at++) {
        if (!xa_utf8_valid(devices[at]))
            return -EINVAL;
        json_t *name = json_string_nocheck(devices[at]);
        if (!name || json_array_append_new(list, name))
            code = -ENOMEM;
    }
    return code;
}

static int put_all(struct recorder *recorder, json_t *document, const char *const *devices,
                   size_t count)
{
    json_t *target = json_object();
    int code = put(document, "target", target);
    if (!code)
        code = put_target(&recorder->host, target);
    if (!code)
        code = put(document, "schema", json_integer(1));
    if (!code)
        code = put(document, "tool", json_string_nocheck("xfsadvise"));
    if (!code)
        code = put(document, "capture", json_true());
    if (!code)
        code = put(document, "version", json_string_nocheck(xfsa_version()));
    if (!code)
        code = put_devices(document, devices, count);
    for (unsigned kind = 0; !code && kind < QUESTION_RECORDED; kind++)
        code = put(document, xa_question_names[kind], json_incref(recorder->sections[kind]));
    return code;
}

int xa_host_record_json(struct host *host, const char *const *devices, size_t count, char **out)
{
    if (host->door != &recorder_door)
        return -EINVAL;
    json_t *document = json_object();
    int code = document ? put_all((struct recorder *)host, document, devices, count) : -ENOMEM;
    if (!code)
        code = xa_capture_write(document, out);
    json_decref(document);
    return code;
}
