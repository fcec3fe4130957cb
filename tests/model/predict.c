// SPDX-License-Identifier: LGPL-2.1-or-later
// Answers the cases of compare.py, one JSON object in each line: with "options" what the model
// of mkfs.xfs predicts for them, with "geometry" the advice of the library.
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/advice.h"
#include "base/lookup.h"
#include "render/line.h"
#include "xfs/mkfs.h"

static uint64_t number_of(const json_t *object, const char *key, uint64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_boolean(value))
        return json_is_true(value);
    return json_is_integer(value) ? (uint64_t)json_integer_value(value) : otherwise;
}

static json_t *error_answer(const char *text)
{
    return json_pack("{s:s}", "error", text);
}

static int read_options(const json_t *options, struct advice_item *item, struct mkfs_line *line)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)options, key, value) {
        int id = XA_LOOKUP(xa_setting_table, key, strlen(key));
        if (id < 0)
            return -EINVAL;
        struct setting *setting = &item->setting[id];
        setting->emitted = true;
        setting->number = json_is_integer(value) ? (uint64_t)json_integer_value(value) : 0;
        setting->text = json_string_value(value);
        line->value[id] = (struct mkfs_value){true, setting->number, setting->text};
    }
    return 0;
}

static json_t *argv_of(const struct advice_item *item)
{
    struct arena arena = {0};
    struct line line;
    json_t *argv = json_array();
    xa_line_mkfs(item, &arena, &line);
    for (unsigned at = 0; at < line.count; at++)
        json_array_append_new(argv, json_string(line.token[at].text));
    xa_arena_free(&arena);
    return argv;
}

static json_t *figures_of(const struct mkfs_outcome *out)
{
    if (out->status)
        return json_null();
    return json_pack("{s:i,s:i,s:I,s:I,s:I,s:i,s:I,s:I,s:I,s:i,s:i,s:b,s:I}",
                     "block_size", (int)out->block_bytes, "sector_size", (int)out->sector_bytes,
                     "ag_count", (json_int_t)out->ag_count,
                     "ag_size_blocks", (json_int_t)out->ag_blocks,
                     "blocks", (json_int_t)out->blocks,
                     "inode_max_percent", (int)out->inode_max_percent,
                     "stripe_unit_blocks", (json_int_t)out->stripe_unit_blocks,
                     "stripe_width_blocks", (json_int_t)out->stripe_width_blocks,
                     "log_blocks", (json_int_t)out->log_blocks,
                     "log_stripe_unit", (int)out->log_stripe_unit_bytes,
                     "log_sector_size", (int)out->log_sector_bytes,
                     "log_external", (int)out->log_external,
                     "log_start_block", (json_int_t)out->log_start_block);
}

static void add_messages(json_t *answer, const struct mkfs_outcome *out)
{
    json_t *messages = json_array();
    json_object_set_new(answer, "messages", messages);
    for (unsigned at = 0; at < out->message_count; at++) {
        const struct mkfs_message *message = &out->messages[at];
        const char *stream = message->stream == STREAM_STDOUT ? "stdout" : "stderr";
        struct buf text = {0};
        xa_mkfs_message_text(&text, message);
        char *rest = text.text;
        for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
            json_array_append_new(messages, json_pack("{s:s,s:s}", "stream", stream, "text",
                                                      line));
        xa_buf_free(&text);
        if (xa_message_table[message->id].usage)
            json_array_append_new(messages, json_pack("{s:s,s:s}", "stream", "stderr", "text",
                                                      "Usage"));
    }
}

/* What version 5 file systems always have. */
static json_t *constant_features(void)
{
    return json_pack("{s:i,s:i,s:i,s:i,s:i,s:i}", "crc", 1, "projid32bit", 1, "attr", 2, "ftype",
                     1, "lazy-count", 1, "metadir", 0);
}

static json_t *predict(const json_t *query)
{
    static struct advice_item item;
    struct mkfs_line line = {0};
    struct mkfs_outcome out;
    struct mkfs_profile profile;
    uint32_t version = 0;
    memset(&item, 0, sizeof(item));
    const char *release = json_string_value(json_object_get(query, "xfsprogs"));
    if (!release || xa_version_parse(release, &version) || !xa_mkfs_profile(version, &profile))
        return error_answer("xfsprogs");
    if (read_options(json_object_get(query, "options"), &item, &line))
        return error_answer("options");
    struct mkfs_environment env = {
        .size_bytes = number_of(query, "size", 0),
        .logical_sector_bytes = (uint32_t)number_of(query, "logical", 0),
        .physical_sector_bytes = (uint32_t)number_of(query, "physical", 0),
        .io_min_bytes = number_of(query, "io_min", 0),
        .io_opt_bytes = number_of(query, "io_opt", 0),
        .misaligned = number_of(query, "alignment_offset", 0) != 0,
        .rotational = number_of(query, "rotational", 1),
        .cpus = (uint32_t)number_of(query, "cpus", 1),
        .log_device_bytes = number_of(query, "log_device_size", 0),
        .log_device_sector_bytes = (uint32_t)number_of(query, "log_device_logical", 0),
        .log_device_physical_bytes = (uint32_t)number_of(query, "log_device_physical", 0),
        .log_device_io_min_bytes = number_of(query, "log_device_io_min", 0),
        .log_device_io_opt_bytes = number_of(query, "io_opt", 0), /* it has the data's topology */
    };
    xa_mkfs_predict(&profile, &env, &line, &out);
    json_t *answer = json_pack("{s:i,s:o,s:s,s:o}", "status", out.status, "argv", argv_of(&item),
                               "real_run", out.real_run_fails ? "fails" : "ok", "figures",
                               figures_of(&out));
    json_t *features = constant_features();
    for (unsigned at = 0; at < FEATURE_ROWS; at++)
        json_object_set_new(features, xa_feature_table[at].id, json_integer(out.feature[at]));
    json_object_set_new(answer, "features", features);
    add_messages(answer, &out);
    return answer;
}

static int fill_request(struct xfsa_request *request, const json_t *query)
{
    static const char *const targets[] = {"xfsprogs", "kernel", "cpus"};
    const char *key;
    char text[64], name[32];
    json_t *value;
    int code = 0;
    json_object_foreach(json_object_get(query, "request"), key, value) {
        snprintf(name, sizeof(name), "%s", key);
        for (char *at = name; *at; at++)
            *at = *at == '_' ? '-' : *at;
        snprintf(text, sizeof(text), "%" PRId64, (int64_t)json_integer_value(value));
        if (json_is_string(value)) /* log-device is a whole path */
            snprintf(text, sizeof(text), "%s%s", strstr(name, "-device") ? "/" : "",
                     json_string_value(value));
        code |= xfsa_request_set(request, name, text, NULL);
    }
    for (size_t at = 0; at < 3; at++) {
        value = json_object_get(query, targets[at]);
        snprintf(text, sizeof(text), "%" PRId64, (int64_t)json_integer_value(value));
        if (value)
            code |= xfsa_request_set_target(request, targets[at],
                                            json_is_string(value) ? json_string_value(value)
                                                                  : text,
                                            XFSA_ORIGIN_USER, NULL);
    }
    return code;
}

static json_t *advise(const json_t *query)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_request *request = NULL;
    struct xfsa_advice *advice = NULL;
    struct xfsa_error err;
    json_t *answer = NULL;
    char *text = NULL;
    if (xfsa_facts_new(&facts) || xfsa_request_new(&request) ||
        xfsa_facts_describe(facts, json_string_value(json_object_get(query, "geometry")), &err))
        answer = error_answer(facts && request ? err.text : "memory");
    else if (fill_request(request, query))
        answer = error_answer("request");
    else if (xfsa_advise(facts, request, &advice, &err) ||
             xfsa_advice_to_json(advice, &text, &err))
        answer = error_answer(err.text);
    if (!answer) {
        json_t *whole = json_loads(text, 0, NULL);
        answer = json_incref(json_array_get(json_object_get(whole, "advice"), 0));
        json_object_update_new(
            json_object_get(json_object_get(answer, "filesystem"), "features"),
            constant_features());
        json_decref(whole);
    }
    free(text);
    xfsa_advice_free(advice);
    xfsa_request_free(request);
    xfsa_facts_free(facts);
    return answer;
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        json_t *query = json_loads(line, 0, NULL);
        json_t *answer = !query ? error_answer("not JSON")
                         : json_object_get(query, "geometry") ? advise(query) : predict(query);
        json_dumpf(answer, stdout, JSON_COMPACT);
        putchar('\n');
        fflush(stdout);
        json_decref(answer);
        json_decref(query);
    }
    free(line);
    return 0;
}
