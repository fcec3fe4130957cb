// SPDX-License-Identifier: LGPL-2.1-or-later
// The public header's promises, through the shared library alone.
#include <errno.h>
#include <string.h>

#include "suite.h"
#include "xfsadvise.h"

static struct xfsa_advice *advise(const char *description)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_request *request = NULL;
    struct xfsa_advice *advice = NULL;
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_request_new(&request), 0);
    ck_assert_int_eq(xfsa_facts_describe(facts, description, NULL), 0);
    ck_assert_int_eq(xfsa_advise(facts, request, &advice, NULL), 0);
    xfsa_facts_free(facts);
    xfsa_request_free(request);
    return advice;
}

static const struct {
    const char *name, *value;
    int code;
} requests[] = {
    {"workload", "streaming", 0},    {"workload", "web", -EINVAL}, {"workload", NULL, -EINVAL},
    {"writers", "4", 0},             {"writers", "0", -ERANGE},    {"writers", "4k", -EINVAL},
    {"writers", "-1", -EINVAL},      {"writers", "65537", -ERANGE},
    {"file-size", "20g", 0},         {"file-size", "0", -ERANGE},  {"file-size", "big", -EINVAL},
    {"agcount", "4294967295", -ERANGE}, {"agcount", "32", 0},
    {"block-size", "4096", 0},       {"block-size", "3k", -EINVAL}, {"block-size", "512", -ERANGE},
    {"block-size", "128k", -ERANGE}, {"sector-size", "4k", 0},     {"sector-size", "64k", -ERANGE},
    {"label", "twelve bytes", 0},    {"label", "thirteen_char", -EINVAL}, {"label", "", -EINVAL},
    {"label", "\xff", -EINVAL},      {"label", "-f", 0},           {"label", "$(reboot)", 0},
    {"uuid", "01234567-89ab-cdef-0123-456789abcdef", 0},
    {"uuid", "01234567-89ab-cdef-0123-456789abcde", -EINVAL},
    {"uuid", "01234567-89ab-cdef-0123-456789abcdef0", -EINVAL},
    {"uuid", "0123456789abcdef0123456789abcdef", -EINVAL},
    {"uuid", "0123456g-89ab-cdef-0123-456789abcdef", -EINVAL},
    {"mountpoint", "/srv", 0},       {"mountpoint", "srv", -EINVAL},
    {"log-device", "/dev/md9", 0},   {"log-device", "/dev/a,b", -EINVAL},
    {"log-device", "md9", -EINVAL},  {"overwrite", NULL, 0},       {"no-discard", NULL, 0},
    {"full", NULL, 0},               {"colour", "red", -ENOENT},   {"", "", -ENOENT},
};

START_TEST(request)
{
    struct xfsa_request *asked = NULL;
    struct xfsa_error err = {0};
    ck_assert_int_eq(xfsa_request_new(&asked), 0);
    ck_assert_int_eq(xfsa_request_set(asked, requests[_i].name, requests[_i].value, &err),
                     requests[_i].code);
    ck_assert_int_eq(err.code, requests[_i].code);
    ck_assert_int_eq(err.text[0] != '\0', requests[_i].code != 0);
    xfsa_request_free(asked);
}
END_TEST

START_TEST(target)
{
    struct xfsa_request *asked = NULL;
    ck_assert_int_eq(xfsa_request_new(&asked), 0);
    ck_assert_int_eq(xfsa_request_set_target(asked, "kernel", "6.1.0-13", XFSA_ORIGIN_HOST, NULL),
                     0);
    ck_assert_int_eq(xfsa_request_set_target(asked, "kernel", "new", XFSA_ORIGIN_HOST, NULL),
                     -EINVAL);
    ck_assert_int_eq(xfsa_request_set_target(asked, "cpus", "0", XFSA_ORIGIN_HOST, NULL),
                     -ERANGE);
    ck_assert_int_eq(xfsa_request_set_target(asked, "cpus", "two", XFSA_ORIGIN_HOST, NULL),
                     -EINVAL);
    ck_assert_int_eq(xfsa_request_set_target(asked, "os", "1.0", XFSA_ORIGIN_HOST, NULL),
                     -ENOENT);
    xfsa_request_free(asked);
}
END_TEST

/* What belongs to one file system is not given to several. */
START_TEST(several)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_request *asked = NULL;
    struct xfsa_advice *advice = NULL;
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_request_new(&asked), 0);
    ck_assert_int_eq(xfsa_facts_describe(facts, NULL, NULL), -EINVAL);
    ck_assert_int_eq(xfsa_facts_describe(facts, "none:size=1t", NULL), 0);
    ck_assert_int_eq(xfsa_facts_describe(facts, "none:size=2t", NULL), 0);
    ck_assert_int_eq(xfsa_request_set(asked, "uuid", "01234567-89ab-cdef-0123-456789abcdef",
                                      NULL), 0);
    ck_assert_int_eq(xfsa_advise(facts, asked, &advice, NULL), -EINVAL);
    xfsa_request_free(asked);
    ck_assert_int_eq(xfsa_request_new(&asked), 0);
    ck_assert_int_eq(xfsa_advise(facts, asked, &advice, NULL), 0);
    ck_assert_uint_eq(xfsa_advice_count(advice), 2);
    xfsa_advice_free(advice);
    ck_assert_int_eq(xfsa_request_set(asked, "agsize", "4g", NULL), 0);
    ck_assert_int_eq(xfsa_request_set(asked, "agcount", "4", NULL), 0);
    ck_assert_int_eq(xfsa_advise(facts, asked, &advice, NULL), -EINVAL);
    ck_assert_int_eq(xfsa_request_set_target(asked, "cpus", "4", (enum xfsa_origin)99, NULL),
                     -EINVAL);
    xfsa_request_free(asked);
    xfsa_facts_free(facts);
}
END_TEST

START_TEST(figures)
{
    struct xfsa_advice *advice = advise("raid6:disks=14,chunk=128k,size=12001920000000");
    uint64_t value = 7;
    static const uint64_t expected[] = {12001920000000, 131072, 12, 1572864, 131072, 12, 32768,
                                        1536, 32, 91567392, 2930156250, 4096, 521728};
    ck_assert_uint_eq(xfsa_advice_count(advice), 1);
    for (unsigned figure = XFSA_SIZE; figure <= XFSA_LOG_BLOCKS; figure++) {
        ck_assert_int_eq(xfsa_advice_figure(advice, 0, figure, &value), 0);
        ck_assert_uint_eq(value, expected[figure]);
    }
    ck_assert_int_eq(xfsa_advice_figure(advice, 0, (enum xfsa_figure)99, &value), -EINVAL);
    ck_assert_int_eq(xfsa_advice_figure(advice, 1, XFSA_SIZE, &value), -EINVAL);
    xfsa_advice_free(advice);
    advice = advise("raid1:disks=2,size=4t");
    ck_assert_int_eq(xfsa_advice_figure(advice, 0, XFSA_RECOMMENDED_SU, &value), -ENOENT);
    ck_assert_int_eq(xfsa_advice_figure(advice, 0, XFSA_STRIPE_UNIT, &value), -ENOENT);
    ck_assert_int_eq(xfsa_advice_figure(advice, 0, XFSA_MAX_SECTORS_KIB, &value), -ENOENT);
    xfsa_advice_free(advice);
}
END_TEST

START_TEST(render)
{
    struct xfsa_advice *advice = advise("none:size=4t");
    struct xfsa_error err;
    char *text = NULL;
    ck_assert_int_eq(xfsa_advice_render(advice, "xml", 0, &text, &err), -ENOENT);
    ck_assert_int_eq(xfsa_advice_render(advice, "shell", 2, &text, &err), -EINVAL);
    ck_assert_ptr_null(text);
    ck_assert_int_eq(xfsa_advice_render(advice, "shell", 0, &text, NULL), 0);
    ck_assert_ptr_null(strchr(text, '\033'));
    free(text);
    ck_assert_int_eq(xfsa_advice_render(advice, "shell", XFSA_RENDER_COLOUR, &text, NULL), 0);
    ck_assert_ptr_nonnull(strchr(text, '\033'));
    free(text);
    ck_assert_int_eq(xfsa_advice_to_json(advice, &text, NULL), 0);
    ck_assert_int_eq(text[0], '{');
    free(text);
    xfsa_advice_free(advice);
}
END_TEST

START_TEST(finding)
{
    struct xfsa_advice *advice = advise("raid6:disks=14");
    struct xfsa_finding found = {"untouched", NULL, NULL};
    ck_assert_ptr_null(xfsa_advice_mkfs(advice, 0));
    ck_assert_ptr_null(xfsa_advice_mkfs(advice, 1));
    ck_assert_int_eq(xfsa_advice_finding(advice, 0, 99, &found, sizeof(found)), -ENOENT);
    ck_assert_int_eq(xfsa_advice_finding(advice, 1, 0, &found, sizeof(found)), -ENOENT);
    ck_assert_str_eq(found.id, "untouched");
    ck_assert_int_eq(xfsa_advice_finding(advice, 0, 0, &found, sizeof(found.id)), 0);
    ck_assert_str_ne(found.id, "untouched");
    ck_assert_ptr_null(found.text);
    xfsa_advice_free(advice);
}
END_TEST

START_TEST(nothing_to_free)
{
    xfsa_facts_free(NULL);
    xfsa_request_free(NULL);
    xfsa_advice_free(NULL);
    ck_assert_str_eq(xfsa_version(), "0.1.0");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api");
    TCase *tests = tcase_create("api");
    tcase_add_loop_test(tests, request, 0, sizeof(requests) / sizeof(requests[0]));
    tcase_add_test(tests, target);
    tcase_add_test(tests, several);
    tcase_add_test(tests, figures);
    tcase_add_test(tests, render);
    tcase_add_test(tests, finding);
    tcase_add_test(tests, nothing_to_free);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
