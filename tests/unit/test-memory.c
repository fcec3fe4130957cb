// SPDX-License-Identifier: LGPL-2.1-or-later
// Each allocation of the whole path fails once: the call says so, nothing leaks or breaks.
// malloc and its kin are wrapped by the linker; jansson is handed the same ones.
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "failing.h"
#include "suite.h"
#include "xfsadvise.h"

struct objects {
    struct xfsa_facts *facts;
    struct xfsa_request *request;
    struct xfsa_advice *advice;
    char *text;
};

static int ask(struct objects *o, const char *description)
{
    static const char *const asked[][2] = {
        {"label", "data"}, {"uuid", "01234567-89ab-cdef-0123-456789abcdef"},
        {"mountpoint", "/srv"}, {"log-device", "/dev/md9"}, {"workload", "backup"},
        {"writers", "4"}, {"file-size", "2g"}, {"agsize", "20g"}};
    int code = xfsa_request_new(&o->request);
    if (!code)
        code = xfsa_facts_new(&o->facts);
    for (size_t at = 0; !code && at < sizeof(asked) / sizeof(asked[0]); at++)
        code = xfsa_request_set(o->request, asked[at][0], asked[at][1], NULL);
    if (!code)
        code = xfsa_request_set_target(o->request, "xfsprogs", "7.2", XFSA_ORIGIN_USER, NULL);
    if (!code)
        code = xfsa_request_set_target(o->request, "kernel", "5.4", XFSA_ORIGIN_USER, NULL);
    if (!code)
        code = xfsa_facts_describe(o->facts, description, NULL);
    if (!code)
        code = xfsa_advise(o->facts, o->request, &o->advice, NULL);
    return code;
}

static int use(struct objects *o, const char *format)
{
    struct xfsa_finding finding;
    int code = 0;
    if (xfsa_advice_status(o->advice, 0) == 0 && !xfsa_advice_mkfs(o->advice, 0))
        return -ENOMEM;
    for (size_t at = 0; !code; at++)
        code = xfsa_advice_finding(o->advice, 0, at, &finding, sizeof(finding));
    if (code != -ENOENT)
        return code;
    return xfsa_advice_render(o->advice, format, XFSA_RENDER_COLOUR, &o->text, NULL);
}

static int whole_path(const char *description, const char *format)
{
    struct objects o = {0};
    int code = ask(&o, description);
    if (!code)
        code = use(&o, format);
    free(o.text);
    xfsa_advice_free(o.advice);
    xfsa_request_free(o.request);
    xfsa_facts_free(o.facts);
    return code;
}

static const char *const paths[][2] = {
    {"raid6:disks=8,chunk=512k,size=4t,offset=512k,layout=left-symmetric", "json"},
    {"raid6:disks=8,chunk=512k,size=4t,offset=512k", "shell"},
    {"raid5:disks=8,chunk=512k", "json"},
    {"raid5:disks=8,chunk=512k,size=100m", "shell"},
};

START_TEST(each_allocation)
{
    json_set_alloc_funcs(__wrap_malloc, free);
    countdown = -1;
    ck_assert_int_eq(whole_path(paths[_i][0], paths[_i][1]), 0);
    long failed = 0;
    for (;; failed++) {
        countdown = failed;
        int code = whole_path(paths[_i][0], paths[_i][1]);
        long left = countdown;
        countdown = -1;
        if (left >= 0) {
            ck_assert_int_eq(code, 0);
            break;
        }
        ck_assert_msg(code == -ENOMEM, "allocation %ld: %d", failed, code);
    }
    ck_assert_int_gt(failed, 20);
}
END_TEST

/* A machine's devices, from a capture that is open already. */
static int device_path(struct xfsa_host *host)
{
    struct objects o = {0};
    int code = xfsa_facts_new(&o.facts);
    if (!code)
        code = xfsa_request_new(&o.request);
    if (!code)
        code = xfsa_facts_read_device(o.facts, host, "/dev/md0", NULL);
    if (!code)
        code = xfsa_request_set_targets(o.request, host, NULL);
    if (!code)
        code = xfsa_advise(o.facts, o.request, &o.advice, NULL);
    if (!code)
        code = use(&o, "json");
    free(o.text);
    xfsa_advice_free(o.advice);
    xfsa_request_free(o.request);
    xfsa_facts_free(o.facts);
    return code;
}

static struct xfsa_host *open_sample(void)
{
    static char text[1 << 16];
    struct xfsa_host *host = NULL;
    FILE *file = fopen(SAMPLES "/md-raid6.json", "re");
    ck_assert_ptr_nonnull(file);
    size_t length = fread(text, 1, sizeof(text), file);
    fclose(file);
    ck_assert_int_eq(xfsa_host_capture(text, length, "sample", &host, NULL), 0);
    return host;
}

START_TEST(each_allocation_of_a_device)
{
    json_set_alloc_funcs(__wrap_malloc, free);
    countdown = -1;
    struct xfsa_host *host = open_sample();
    ck_assert_int_eq(device_path(host), 0);
    long failed = 0, left = -1;
    for (; left < 0; failed++) {
        countdown = failed;
        int code = device_path(host);
        left = countdown;
        countdown = -1;
        ck_assert_msg(code == (left < 0 ? -ENOMEM : 0), "allocation %ld: %d", failed, code);
    }
    ck_assert_int_gt(failed, 100);
    xfsa_host_free(host);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, each_allocation, 0, sizeof(paths) / sizeof(paths[0]));
    tcase_add_test(tests, each_allocation_of_a_device);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
