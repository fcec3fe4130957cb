// SPDX-License-Identifier: LGPL-2.1-or-later
// What is asked for, and the machine where the lines will run. Checks each value by itself;
// whether they fit the storage is for the rules.
#include "advice/request.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lookup.h"
#include "base/text.h"
#include "host/host.h"

enum value_kind { VALUE_SIZE, VALUE_COUNT, VALUE_POWER_OF_TWO, VALUE_SWITCH, VALUE_TEXT,
                  VALUE_WORKLOAD };

struct ask_row {
    const char *name;
    enum value_kind kind;
    size_t offset;
    uint64_t min, max;
    const char *(*wrong)(const char *text); /* says what is wrong with a text, or NULL */
};

static const char *label_wrong(const char *text)
{
    return strlen(text) > 12 ? "an XFS label has at most 12 bytes" : NULL;
}

static const char *uuid_wrong(const char *text)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    size_t at = 0;
    for (; form[at] && text[at]; at++) {
        bool hex = strchr("0123456789abcdefABCDEF", text[at]) != NULL;
        if (form[at] == 'x' ? !hex : text[at] != '-')
            break;
    }
    return form[at] || text[at] ? "not a UUID of the form 8-4-4-4-12" : NULL;
}

static const char *path_wrong(const char *text)
{
    if (*text != '/')
        return "give the whole path, from /";
    return strlen(text) > 4095 ? "longer than 4095 bytes" : NULL;
}

static const char *log_device_wrong(const char *text)
{
    if (strchr(text, ','))
        return "mkfs.xfs and mount cannot take a name with a comma; use another link to it";
    return path_wrong(text);
}

#define AT(member) offsetof(struct xfsa_request, member)
static const struct ask_row asks[] = {
    {"workload", VALUE_WORKLOAD, AT(workload), 0, 0, NULL},
    {"writers", VALUE_COUNT, AT(writers), 1, 65536, NULL},
    {"file-size", VALUE_SIZE, AT(file_size_bytes), 1, INT64_MAX, NULL},
    {"agcount", VALUE_COUNT, AT(agcount), 1, UINT32_MAX - 1, NULL},
    {"agsize", VALUE_SIZE, AT(agsize_bytes), 1, INT64_MAX, NULL},
    {"block-size", VALUE_POWER_OF_TWO, AT(block_size_bytes), 1024, 65536, NULL},
    {"log-device", VALUE_TEXT, AT(log_device), 0, 0, log_device_wrong},
    {"log-size", VALUE_SIZE, AT(log_size_bytes), 1, INT64_MAX, NULL},
    {"mountpoint", VALUE_TEXT, AT(mountpoint), 0, 0, path_wrong},
    {"label", VALUE_TEXT, AT(label), 0, 0, label_wrong},
    {"uuid", VALUE_TEXT, AT(uuid), 0, 0, uuid_wrong},
    {"sector-size", VALUE_POWER_OF_TWO, AT(sector_size_bytes), 512, 32768, NULL},
    {"overwrite", VALUE_SWITCH, AT(overwrite), 0, 0, NULL},
    {"no-discard", VALUE_SWITCH, AT(no_discard), 0, 0, NULL},
    {"full", VALUE_SWITCH, AT(full), 0, 0, NULL},
};

int xfsa_request_new(struct xfsa_request **out)
{
    struct xfsa_request *request = calloc(1, sizeof(*request));
    if (!request)
        return -ENOMEM;
    request->workload = WORKLOAD_GENERAL;
    *out = request;
    return 0;
}

void xfsa_request_free(struct xfsa_request *request)
{
    if (!request)
        return;
    free(request->log_device);
    free(request->mountpoint);
    free(request->label);
    free(request->uuid);
    free(request->kernel.text);
    free(request->xfsprogs.text);
    free(request->cpus.text);
    free(request);
}

static int replace_text(char **held, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        return -ENOMEM;
    free(*held);
    *held = copy;
    return 0;
}

static int set_text(struct xfsa_request *request, const struct ask_row *row, const char *value,
                    struct xfsa_error *err)
{
    const char *wrong = !*value ? "is empty" : !xa_utf8_valid(value) ? "is not UTF-8"
                                                                     : row->wrong(value);
    if (wrong)
        return xa_fail(err, -EINVAL, row->name, "%s", wrong);
    char **held = (char **)(void *)((char *)request + row->offset);
    return replace_text(held, value) ? xa_fail_memory(err, row->name) : 0;
}

static int set_number(struct xfsa_request *request, const struct ask_row *row, const char *value,
                      struct xfsa_error *err)
{
    uint64_t number = 0;
    int code = row->kind == VALUE_COUNT ? xa_number_parse(value, strlen(value), &number)
                                        : xa_size_parse(value, strlen(value), &number);
    if (code == -EINVAL)
        return xa_fail(err, code, row->name, "\"%.60s\" is not a %s", value,
                       row->kind == VALUE_COUNT ? "number" : "size (digits, then k m g t or p)");
    if (code || number < row->min || number > row->max)
        return xa_fail(err, -ERANGE, row->name, "%.60s is not from %" PRIu64 " to %" PRIu64, value,
                       row->min, row->max);
    if (row->kind == VALUE_POWER_OF_TWO && (number & (number - 1)))
        return xa_fail(err, -EINVAL, row->name, "%.60s is not a power of two", value);
    memcpy((char *)request + row->offset, &number, sizeof(number));
    return 0;
}

static int set_workload(struct xfsa_request *request, const struct ask_row *row,
                        const char *value, struct xfsa_error *err)
{
    int which = XA_LOOKUP(xa_workload_table, value, strlen(value));
    if (which < 0)
        return xa_fail(err, -EINVAL, row->name,
                       "\"%.40s\" is none of general, streaming, small-files, database, "
                       "vm-images, backup", value);
    request->workload = (enum workload_id)which;
    return 0;
}

int xfsa_request_set(struct xfsa_request *request, const char *name, const char *value,
                     struct xfsa_error *err)
{
    int which = name ? XA_LOOKUP(asks, name, strlen(name)) : -1;
    if (which < 0)
        return xa_fail(err, -ENOENT, "request", "nothing is called \"%.40s\"", name ? name : "");
    const struct ask_row *row = &asks[which];
    if (row->kind == VALUE_SWITCH) {
        *((bool *)request + row->offset) = true;
        return 0;
    }
    if (!value)
        return xa_fail(err, -EINVAL, row->name, "needs a value");
    if (row->kind == VALUE_WORKLOAD)
        return set_workload(request, row, value, err);
    if (row->kind == VALUE_TEXT)
        return set_text(request, row, value, err);
    return set_number(request, row, value, err);
}

static int parse_target(const char *name, const char *value, uint64_t *number)
{
    uint32_t version = 0;
    if (strcmp(name, "cpus") == 0) {
        int code = xa_number_parse(value, strlen(value), number);
        return code ? code : *number < 1 || *number > 65536 ? -ERANGE : 0;
    }
    int code = strlen(value) < 64 && xa_utf8_valid(value) ? xa_version_parse(value, &version)
                                                          : -EINVAL;
    *number = version;
    return code;
}

/* Where a fact about the target is kept; NULL: there is none of that name. */
static struct target_fact *target_fact(struct xfsa_request *request, const char *name)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {{"kernel", AT(kernel)}, {"xfsprogs", AT(xfsprogs)}, {"cpus", AT(cpus)}};
    int which = XA_LOOKUP(rows, name, strlen(name));
    return which < 0 ? NULL
                     : (struct target_fact *)(void *)((char *)request + rows[which].offset);
}

int xfsa_request_set_target(struct xfsa_request *request, const char *name, const char *value,
                            enum xfsa_origin origin, struct xfsa_error *err)
{
    struct target_fact *fact = name ? target_fact(request, name) : NULL;
    uint64_t number = 0;
    if (!fact)
        return xa_fail(err, -ENOENT, "target", "nothing is called \"%.40s\"", name ? name : "");
    if (!value || (unsigned)origin > XFSA_ORIGIN_CAPTURE)
        return xa_fail(err, -EINVAL, name, value ? "no such origin" : "needs a value");
    int code = parse_target(name, value, &number);
    if (code == -ERANGE)
        return xa_fail(err, code, name, "%.60s is not from 1 to 65536", value);
    if (code)
        return xa_fail(err, code, name, "\"%.60s\" is not a %s", value,
                       strcmp(name, "cpus") == 0 ? "number of CPUs" : "version (6.1 or 6.1.0)");
    if (replace_text(&fact->text, value))
        return xa_fail_memory(err, name);
    fact->number = number;
    fact->origin = origin;
    return 0;
}

int xfsa_request_set_targets(struct xfsa_request *request, struct xfsa_host *host,
                             struct xfsa_error *err)
{
    static const char *const names[] = {"kernel", "xfsprogs", "cpus"};
    struct buf text = {0};
    int code = 0;
    for (size_t at = 0; code != -ENOMEM && at < sizeof(names) / sizeof(names[0]); at++) {
        code = xa_host_target((struct host *)host, names[at], &text);
        if (!code && text.text && !target_fact(request, names[at])->text)
            code = xfsa_request_set_target(request, names[at], text.text, XFSA_ORIGIN_HOST, NULL);
    }
    xa_buf_free(&text);
    return code == -ENOMEM ? xa_fail_memory(err, "target") : 0;
}

