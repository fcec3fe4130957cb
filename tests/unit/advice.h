/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Asks for advice in one call, for tests. */
#pragma once

#include <stdarg.h>
#include <string.h>

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include "advice/advice.h"
#include "render/line.h"
#include "suite.h"

/*
 * Advice on one description. What follows are names and values of the request, or of the target
 * where the name is xfsprogs, kernel or cpus; ends with NULL. Kernel and xfsprogs are 6.1, one
 * CPU, unless given.
 */
static struct xfsa_advice *advise(const char *description, ...)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_request *request = NULL;
    struct xfsa_advice *advice = NULL;
    struct xfsa_error err;
    va_list pairs;
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_request_new(&request), 0);
    ck_assert_int_eq(xfsa_facts_describe(facts, description, &err), 0);
    xfsa_request_set_target(request, "xfsprogs", "6.1", XFSA_ORIGIN_USER, NULL);
    xfsa_request_set_target(request, "kernel", "6.1", XFSA_ORIGIN_USER, NULL);
    xfsa_request_set_target(request, "cpus", "1", XFSA_ORIGIN_USER, NULL);
    va_start(pairs, description);
    for (const char *name; (name = va_arg(pairs, const char *)) != NULL;) {
        const char *value = va_arg(pairs, const char *);
        if (strcmp(name, "xfsprogs") && strcmp(name, "kernel") && strcmp(name, "cpus"))
            ck_assert_int_eq(xfsa_request_set(request, name, value, &err), 0);
        else
            ck_assert_int_eq(xfsa_request_set_target(request, name, value, XFSA_ORIGIN_USER,
                                                     &err), 0);
    }
    va_end(pairs);
    ck_assert_int_eq(xfsa_advise(facts, request, &advice, &err), 0);
    xfsa_facts_free(facts);
    xfsa_request_free(request);
    return advice;
}

static bool has_finding(const struct xfsa_advice *advice, enum finding_id id)
{
    const struct finding_list *list = &advice->items[0].findings;
    for (size_t at = 0; at < list->count; at++) {
        if (list->items[at].id == id)
            return true;
    }
    return false;
}

/* The mkfs.xfs line as one string; empty when it is blocked. */
static const char *mkfs_line(struct xfsa_advice *advice)
{
    static char text[1024];
    const char *const *argv = xfsa_advice_mkfs(advice, 0);
    text[0] = '\0';
    for (unsigned at = 0; argv && argv[at]; at++) {
        strncat(text, at ? " " : "", sizeof(text) - strlen(text) - 1);
        strncat(text, argv[at], sizeof(text) - strlen(text) - 1);
    }
    return text;
}
