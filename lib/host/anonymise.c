// SPDX-License-Identifier: LGPL-2.1-or-later
// Goes over a capture and has the names of people's things replaced; twice, because names that
// are met late stand in texts that come early.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/anonymise-text.h"
#include "host/entry.h"
#include "host/file.h"

/* Has an answer's text replaced. Names in a folder are sorted anew. */
static int change_text(struct disguise *disguise, enum question_kind kind, const char *name,
                       const struct buf *text, struct buf *out)
{
    struct buf changed = {0};
    xa_buf_add(&changed, "", 0);
    xa_hide_answer(disguise, kind, name, text, &changed);
    xa_buf_add(out, "", 0);
    int code = changed.failed || disguise->failed ? -ENOMEM : 0;
    if (!code && kind == QUESTION_LIST)
        code = xa_words_sort(changed.text, '\n', out);
    else if (!code)
        xa_buf_add(out, changed.text, changed.length);
    xa_buf_free(&changed);
    return out->failed ? -ENOMEM : code;
}

/* The entry with its text replaced, or NULL when memory is short. */
static json_t *new_entry(struct disguise *disguise, enum question_kind kind, const char *name,
                         json_t *entry)
{
    struct buf text = {0}, changed = {0};
    int code = xa_entry_read(entry, SIZE_MAX, &text);
    json_t *made = code && code != -ENOMEM ? json_incref(entry) : NULL;
    if (!code)
        code = change_text(disguise, kind, name, &text, &changed);
    if (!code)
        made = xa_entry_text(changed.text, changed.length);
    xa_buf_free(&text);
    xa_buf_free(&changed);
    return made;
}

static int put_entry(struct disguise *disguise, enum question_kind kind, const char *name,
                     json_t *entry, json_t *section)
{
    struct buf key = {0};
    json_t *made = new_entry(disguise, kind, name, entry);
    xa_hide_question(disguise, kind, name, &key);
    int code = made && key.text && !key.failed && !disguise->failed ? 0 : -ENOMEM;
    if (!code && json_object_set_nocheck(section, key.text, made))
        code = -ENOMEM;
    json_decref(made);
    xa_buf_free(&key);
    return code;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The keys of a section, sorted, so that numbers do not hang on the order of a hash. */
static const char **sorted_keys(struct arena *arena, json_t *section)
{
    const char **keys = xa_arena_alloc(arena, (json_object_size(section) + 1) * sizeof(*keys));
    size_t count = 0;
    const char *name;
    json_t *entry;
    if (!keys)
        return NULL;
    json_object_foreach(section, name, entry)
        keys[count++] = name;
    if (count)
        qsort(keys, count, sizeof(*keys), compare_keys);
    return keys;
}

static int put_section(struct disguise *disguise, enum question_kind kind, json_t *section,
                       json_t *out)
{
    json_t *made = json_object();
    if (!made || json_object_set_new_nocheck(out, xa_question_names[kind], made))
        return -ENOMEM;
    const char **keys = sorted_keys(&disguise->arena, section);
    int code = keys ? 0 : -ENOMEM;
    for (; !code && *keys; keys++)
        code = put_entry(disguise, kind, *keys, json_object_get(section, *keys), made);
    return code;
}

static int put_devices(struct disguise *disguise, const json_t *devices, json_t *out)
{
    json_t *made = json_array();
    int code = made && json_object_set_new_nocheck(out, "devices", made) == 0 ? 0 : -ENOMEM;
    for (size_t at = 0; !code && at < json_array_size(devices); at++) {
        struct buf name = {0};
        const char *device = json_string_value(json_array_get(devices, at));
        xa_buf_add(&name, "", 0);
        xa_hide_device(disguise, device, &name);
        json_t *value = name.failed ? NULL : json_string_nocheck(name.text);
        if (!value || json_array_append_new(made, value))
            code = -ENOMEM;
        xa_buf_free(&name);
    }
    return code;
}

/* Goes over the document once. */
static int put_all(struct disguise *disguise, json_t *document, json_t *out)
{
    static const char *const kept[] = {"schema", "tool", "capture", "version", "target"};
    int code = put_devices(disguise, json_object_get(document, "devices"), out);
    for (unsigned at = 0; !code && at < sizeof(kept) / sizeof(kept[0]); at++) {
        if (json_object_set_nocheck(out, kept[at], json_object_get(document, kept[at])))
            code = -ENOMEM;
    }
    for (unsigned kind = 0; !code && kind < QUESTION_RECORDED; kind++) {
        json_t *section = json_object_get(document, xa_question_names[kind]);
        code = put_section(disguise, (enum question_kind)kind, section, out);
    }
    if (disguise->failed)
        code = -ENOMEM;
    return code;
}

static int disguise_twice(json_t *document, json_t *out)
{
    struct disguise disguise;
    int code = xa_disguise_init(&disguise);
    if (code)
        return code;
    code = put_all(&disguise, document, out);
    if (!code) {
        json_object_clear(out);
        code = put_all(&disguise, document, out);
    }
    xa_disguise_free(&disguise);
    return code;
}

int xa_host_anonymise(const char *json, size_t length, const char *source, char **out,
                      struct xfsa_error *err)
{
    json_t *document = NULL;
    int code = xa_capture_load(json, length, source, &document, err);
    if (code)
        return code;
    json_t *made = json_object();
    code = made ? disguise_twice(document, made) : -ENOMEM;
    if (!code)
        code = xa_capture_write(made, out);
    json_decref(made);
    json_decref(document);
    return code ? xa_fail_memory(err, source) : 0;
}
