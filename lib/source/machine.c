// SPDX-License-Identifier: LGPL-2.1-or-later
// The public face of hosts: opening them, reading devices through them, and captures.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/host.h"
#include "source/facts.h"

/* The public type is the inner one under another name. */
static struct host *inner(struct xfsa_host *host)
{
    return (struct host *)host;
}

int xfsa_host_live(struct xfsa_host **out, struct xfsa_error *err)
{
    return xa_host_live((struct host **)out, err);
}

int xfsa_host_sysroot(const char *folder, struct xfsa_host **out, struct xfsa_error *err)
{
    return xa_host_sysroot(folder, (struct host **)out, err);
}

int xfsa_host_capture(const char *json, size_t length, const char *source,
                      struct xfsa_host **out, struct xfsa_error *err)
{
    return xa_host_capture(json, length, source, (struct host **)out, err);
}

int xfsa_host_recorder(struct xfsa_host *host, struct xfsa_host **out)
{
    return xa_host_recorder(inner(host), (struct host **)out);
}

void xfsa_host_free(struct xfsa_host *host)
{
    xa_host_free(inner(host));
}

int xfsa_host_set_target(struct xfsa_host *host, const char *what, const char *value)
{
    return xa_host_set_target(inner(host), what, value);
}

int xfsa_host_captured(const struct xfsa_host *capture, size_t index, const char **name)
{
    return xa_host_capture_devices((const struct host *)capture, index, name);
}

int xfsa_facts_read_device(struct xfsa_facts *facts, struct xfsa_host *host, const char *name,
                           struct xfsa_error *err)
{
    return xa_source_sysfs(facts, inner(host), name, err);
}

int xfsa_facts_read_log_device(struct xfsa_facts *facts, struct xfsa_host *host,
                               const char *name, struct xfsa_error *err)
{
    return xa_source_sysfs_log(facts, inner(host), name, err);
}

/* A name of sys/class/block, when the device has a size. */
static int read_one(struct xfsa_facts *facts, struct host *host, const char *name,
                    struct buf *text, struct xfsa_error *err)
{
    char path[300];
    if (strlen(name) > 250)
        return 0;
    strcpy(path, "sys/class/block/");
    strcat(path, name);
    strcat(path, "/size");
    int code = xa_host_read(host, path, text);
    if (code == -ENOMEM)
        return xa_fail_memory(err, name);
    if (code || !text->text || strcmp(text->text, "0") == 0)
        return 0;
    return xa_source_sysfs(facts, host, name, err);
}

int xfsa_facts_read_all(struct xfsa_facts *facts, struct xfsa_host *host, struct xfsa_error *err)
{
    struct buf names = {0}, text = {0};
    int code = xa_host_list(inner(host), "sys/class/block", &names);
    if (code)
        code = xa_fail(err, code, "sys/class/block", "%s", strerror(-code));
    char *rest = names.text;
    for (char *name; !code && (name = strsep(&rest, "\n")) != NULL;) {
        if (*name)
            code = read_one(facts, inner(host), name, &text, err);
    }
    xa_buf_free(&text);
    xa_buf_free(&names);
    return code;
}

/* The capture of the devices that were asked for. */
static int record(struct host *host, const struct xfsa_facts *facts, char **out)
{
    const char **names = calloc(facts->subject_count + 1, sizeof(*names));
    size_t count = 0;
    if (!names)
        return -ENOMEM;
    for (size_t at = 0; at < facts->subject_count; at++) {
        if (facts->subjects[at].wanted && facts->subjects[at].label)
            names[count++] = facts->subjects[at].label;
    }
    int code = xa_host_record_json(host, names, count, out);
    free(names);
    return code;
}

int xfsa_host_record(struct xfsa_host *host, const struct xfsa_facts *facts, int anonymise,
                     char **out, struct xfsa_error *err)
{
    char *text = NULL, *other = NULL;
    int code = record(inner(host), facts, &text);
    if (code)
        return xa_fail(err, code, "capture", "%s", strerror(-code));
    if (anonymise) {
        code = xa_host_anonymise(text, strlen(text), "capture", &other, err);
        free(text);
        text = other;
    }
    if (!code)
        *out = text;
    return code;
}
