// SPDX-License-Identifier: LGPL-2.1-or-later
// The main job: advice on devices, captures and described storage.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

static bool wants_colour(const struct cli_call *call)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool coloured = strcmp(call->format, "shell") == 0 || strcmp(call->format, "table") == 0;
    return coloured && isatty(STDOUT_FILENO) && !(no_colour && *no_colour) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static void print_findings(struct xfsa_advice *advice)
{
    struct xfsa_finding finding;
    for (size_t index = 0; index < xfsa_advice_count(advice); index++) {
        for (size_t which = 0; xfsa_advice_finding(advice, index, which, &finding,
                                                   sizeof(finding)) == 0; which++) {
            if (strcmp(finding.severity, "note") != 0)
                fprintf(stderr, "xfsadvise: %s: %s\n", finding.severity, finding.text);
        }
    }
}

static int print_advice(const struct cli_call *call, struct xfsa_advice *advice)
{
    struct xfsa_error err;
    char *text = NULL;
    unsigned flags = wants_colour(call) ? XFSA_RENDER_COLOUR : 0;
    if (xfsa_advice_render(advice, call->format, flags, &text, &err))
        return cli_complain(&err, err.code == -ENOMEM ? EXIT_UNREADABLE : EXIT_USAGE);
    if (!call->quiet)
        print_findings(advice);
    int status = cli_print(text, xfsa_advice_status(advice, call->strict));
    free(text);
    return status;
}

static int advise(struct cli_call *call)
{
    struct xfsa_error err;
    struct xfsa_host *host = NULL;
    struct xfsa_advice *advice = NULL;
    int code = cli_open_host(call, &host);
    if (!code)
        code = cli_read_devices(call, host);
    xfsa_host_free(host);
    if (code)
        return code;
    if (xfsa_advise(call->facts, call->request, &advice, &err))
        return cli_complain(&err, err.code == -EINVAL ? EXIT_USAGE : EXIT_UNREADABLE);
    code = print_advice(call, advice);
    xfsa_advice_free(advice);
    return code;
}

int cmd_advise(int argc, char **argv)
{
    struct cli_call call = {.format = "shell"};
    int status = EXIT_UNREADABLE;
    if (xfsa_facts_new(&call.facts) || xfsa_request_new(&call.request)) {
        fputs("xfsadvise: out of memory\n", stderr);
    } else {
        status = cli_read_options(&call, COMMAND_ADVISE, argc, argv);
        if (status == 0)
            status = advise(&call);
    }
    xfsa_request_free(call.request);
    xfsa_facts_free(call.facts);
    return status < 0 ? EXIT_FINE : status;
}
