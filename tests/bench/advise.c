// SPDX-License-Identifier: LGPL-2.1-or-later
// Asks for advice on facts that are there already; what is counted is xfsa_advise alone.
#include <stdio.h>

#include "xfsadvise.h"

int main(int argc, char **argv)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_request *request = NULL;
    struct xfsa_advice *advice = NULL;
    const char *description = argc > 1 ? argv[1]
                                       : "raid6:disks=14,chunk=128k,size=12001920000000";
    if (xfsa_facts_new(&facts) || xfsa_request_new(&request) ||
        xfsa_facts_describe(facts, description, NULL) ||
        xfsa_request_set_target(request, "xfsprogs", "6.1", XFSA_ORIGIN_USER, NULL) ||
        xfsa_request_set_target(request, "kernel", "6.1", XFSA_ORIGIN_USER, NULL) ||
        xfsa_advise(facts, request, &advice, NULL)) {
        fputs("no advice\n", stderr);
        return 1;
    }
    int status = xfsa_advice_status(advice, 0);
    xfsa_advice_free(advice);
    xfsa_request_free(request);
    xfsa_facts_free(facts);
    return status;
}
