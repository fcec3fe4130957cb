/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every program of unit tests shares: it runs one suite and writes TAP. */
#pragma once

#include <check.h>
#include <stdlib.h>

static int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
