// SPDX-License-Identifier: LGPL-2.1-or-later
// Opens the machine that a call is about: this one, a folder, or a capture.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum { CAPTURE_MOST_BYTES = 256 << 20 };

/* A whole file; what is read grows with it up to the limit. */
static char *read_all(FILE *file, size_t *length)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *length = 0;
    while (text) {
        *length += fread(text + *length, 1, room - *length, file);
        if (*length < room)
            return text;
        if (room >= CAPTURE_MOST_BYTES) {
            errno = EFBIG;
            break;
        }
        char *more = realloc(text, room * 2);
        if (!more)
            break;
        text = more;
        room *= 2;
    }
    free(text);
    return NULL;
}

static int open_capture(const char *name, struct xfsa_host **host)
{
    struct xfsa_error err;
    bool standard = strcmp(name, "-") == 0;
    size_t length = 0;
    errno = 0;
    FILE *file = standard ? stdin : fopen(name, "re");
    char *text = file ? read_all(file, &length) : NULL;
    int failed = !text || ferror(file) ? (errno ? errno : EIO) : 0;
    if (file && !standard)
        fclose(file);
    if (failed) {
        fprintf(stderr, "xfsadvise: %.200s: %s\n", name, strerror(failed));
        free(text);
        return EXIT_UNREADABLE;
    }
    int code = xfsa_host_capture(text, length, standard ? "stdin" : name, host, &err);
    free(text);
    return code ? cli_complain(&err, EXIT_UNREADABLE) : 0;
}

int cli_open_host(struct cli_call *call, struct xfsa_host **host)
{
    struct xfsa_error err;
    char version[MKFS_VERSION_MAX];
    if (call->from)
        return open_capture(call->from, host);
    int code = call->sysroot ? xfsa_host_sysroot(call->sysroot, host, &err)
                             : xfsa_host_live(host, &err);
    if (code)
        return cli_complain(&err, EXIT_UNREADABLE);
    if (!call->sysroot && !call->xfsprogs_given && cli_mkfs_version(version) &&
        xfsa_host_set_target(*host, "xfsprogs", version) == -ENOMEM) {
        fputs("xfsadvise: out of memory\n", stderr);
        xfsa_host_free(*host);
        *host = NULL;
        return EXIT_UNREADABLE;
    }
    return 0;
}

int cli_read_devices(struct cli_call *call, struct xfsa_host *host)
{
    struct xfsa_error err;
    const char *name;
    int code = 0;
    if (call->all)
        code = xfsa_facts_read_all(call->facts, host, &err);
    for (int at = 0; !code && at < call->device_count; at++)
        code = xfsa_facts_read_device(call->facts, host, call->devices[at], &err);
    for (size_t at = 0; !code && call->from && !call->device_count &&
                        xfsa_host_captured(host, at, &name) == 0; at++)
        code = xfsa_facts_read_device(call->facts, host, name, &err);
    if (!code && call->log_device) {
        code = xfsa_facts_read_log_device(call->facts, host, call->log_device, &err);
        if (code == -ENOENT || code == -ENODATA || code == -ENOTBLK)
            code = 0; /* it is on another machine, or not made yet: its size is then assumed */
    }
    if (!code)
        code = xfsa_request_set_targets(call->request, host, &err);
    return code ? cli_complain(&err, EXIT_UNREADABLE) : 0;
}

int cli_print(const char *text, int status)
{
    if (fputs(text, stdout) != EOF && fflush(stdout) != EOF)
        return status;
    fprintf(stderr, "xfsadvise: stdout: %s\n", strerror(errno));
    return EXIT_UNREADABLE;
}
