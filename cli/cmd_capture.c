// SPDX-License-Identifier: LGPL-2.1-or-later
// capture: every fact that advice on these devices reads, as JSON.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

/* What the recorder holds, perhaps without what names people and machines. */
static int print_record(const struct cli_call *call, struct xfsa_host *recorder)
{
    struct xfsa_error err;
    char *text = NULL;
    int code = xfsa_host_record(recorder, call->facts, call->anonymise, &text, &err);
    if (code)
        return cli_complain(&err, EXIT_UNREADABLE);
    int status = cli_print(text, EXIT_FINE);
    free(text);
    return status;
}

static int capture(struct cli_call *call)
{
    struct xfsa_host *host = NULL, *recorder = NULL;
    int code = cli_open_host(call, &host);
    if (code)
        return code;
    if (xfsa_host_recorder(host, &recorder)) {
        xfsa_host_free(host);
        fputs("xfsadvise: out of memory\n", stderr);
        return EXIT_UNREADABLE;
    }
    code = cli_read_devices(call, recorder);
    if (!code)
        code = print_record(call, recorder);
    xfsa_host_free(recorder);
    return code;
}

int cmd_capture(int argc, char **argv)
{
    struct cli_call call = {0};
    int status = EXIT_UNREADABLE;
    if (xfsa_facts_new(&call.facts) || xfsa_request_new(&call.request)) {
        fputs("xfsadvise: out of memory\n", stderr);
    } else {
        status = cli_read_options(&call, COMMAND_CAPTURE, argc, argv);
        if (status == 0)
            status = capture(&call);
    }
    xfsa_request_free(call.request);
    xfsa_facts_free(call.facts);
    return status < 0 ? EXIT_FINE : status;
}
