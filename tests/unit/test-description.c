// SPDX-License-Identifier: LGPL-2.1-or-later
// Descriptions of arrays: the grammar, and one clear error for each way to get it wrong.
#include <errno.h>

#include "source/facts.h"
#include "suite.h"
#include <string.h>

static const struct {
    const char *text;
    const char *names; /* what the error has to name */
} bad[] = {
    {"", "empty"},
    {"raid7:disks=4,chunk=64k", "raid7"},
    {"RAID5:disks=4,chunk=64k", "RAID5"},
    {"raid10x2:disks=4,chunk=64k", "raid10x2"},
    {"raid10n1:disks=4,chunk=64k", "raid10n1"},
    {"raid10n:disks=4,chunk=64k", "raid10n"},
    {"raid6:disks=0,chunk=64k", "disks"},
    {"raid6:disks=1,chunk=64k", "disks"},
    {"raid6:disks=2,chunk=64k", "disks"},
    {"raid5:disks=1,chunk=64k", "disks"},
    {"raid4:disks=1,chunk=64k", "disks"},
    {"raid1:disks=1", "disks"},
    {"raid10:disks=1,chunk=64k", "disks"},
    {"raid10n3:disks=2,chunk=64k", "disks"},
    {"raid0:disks=0,chunk=64k", "disks"},
    {"raid0:disks=4097,chunk=64k", "disks"},
    {"none:disks=2", "disks"},
    {"raid60:disks=8,legs=3,chunk=64k", "legs"},
    {"raid60:disks=6,legs=3,chunk=64k", "disks"},
    {"raid60:disks=8,legs=1,chunk=64k", "legs"},
    {"raid5:disks=8,legs=2,chunk=64k", "legs"},
    {"raid6:disks=8,chunk=0", "chunk"},
    {"raid6:disks=8,chunk=6k", "chunk"},
    {"raid6:disks=8,chunk=64", "write 64k"},
    {"raid6:disks=8,chunk=512", "write 512k"},
    {"raid6:disks=8,chunk=64b", "chunk"},
    {"raid6:disks=8,chunk=2g", "chunk"},
    {"raid6:disks=8,chunk=99999999999999999999", "chunk"},
    {"raid6:disks=8,su=3k", "su"},
    {"raid1:disks=2,chunk=64k", "chunk"},
    {"linear:disks=2,chunk=64k", "chunk"},
    {"linear:data=2", "data"},
    {"raid6:disks=8,chunk=64k,size=12x", "size"},
    {"raid6:disks=8,chunk=64k,size=-5", "size"},
    {"raid6:disks=8,chunk=64k,size=1180591620717411303424", "size"},
    {"raid6:disks=8,chunk=64k,size=0", "size"},
    {"raid6:disks=8,chunk=64k,size=1.5t", "size"},
    {"raid6:disks=8,chunk=64k,size=1t,disk-size=1t", "size"},
    {"raid6:disks=8,data=6,chunk=64k", "disks"},
    {"raid6:disks=8,sw=6,chunk=64k", "disks"},
    {"raid6:disks=8,disks=8,chunk=64k", "disks"},
    {"raid6:disks=8,chunk=64k,su=64k", "su"},
    {"raid6:disks=eight,chunk=64k", "disks"},
    {"raid6:disks=8k,chunk=64k", "disks"},
    {"raid6:disks=,chunk=64k", "disks"},
    {"raid6:disks,chunk=64k", "disks"},
    {"raid6:=8,chunk=64k", "key"},
    {"raid6:disks=8,,chunk=64k", "key"},
    {"raid6:disks=8,", "comma"},
    {"raid6:colour=red", "colour"},
    {"raid6:disks=8,chunk=64k,offset=100", "offset"},
    {"raid6:disks=8,chunk=64k,sector=513", "sector"},
    {"raid6:disks=8,chunk=64k,sector=256", "sector"},
    {"raid6:disks=8,chunk=64k,sector=4096/512", "sector"},
    {"raid6:disks=8,chunk=64k,sector=512/", "sector"},
    {"raid6:disks=8,chunk=64k,rotational=2", "rotational"},
    {"raid6:disks=8,chunk=64k,rotational=yes", "rotational"},
    {"raid6:disks=8,chunk=64k,layout=spiral", "layout"},
    {"raid10n2:disks=8,chunk=64k,layout=f2", "layout"},
    {"raid0:disks=8,chunk=64k,layout=left-symmetric", "layout"},
};

START_TEST(refused)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_error err = {0};
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    int code = xfsa_facts_describe(facts, bad[_i].text, &err);
    ck_assert_msg(code == -EINVAL || code == -ERANGE, "%s: %d", bad[_i].text, code);
    ck_assert_int_eq(err.code, code);
    ck_assert_str_eq(err.source, "geometry");
    ck_assert_msg(strstr(err.text, bad[_i].names), "%s: %s", bad[_i].text, err.text);
    ck_assert_uint_eq(facts->count, 0);
    ck_assert_uint_eq(facts->subject_count, 0);
    ck_assert_int_eq(xfsa_facts_describe(facts, bad[_i].text, NULL), code);
    xfsa_facts_free(facts);
}
END_TEST

static const char *const good[] = {
    "none", "none:size=1t", "linear:disks=4,disk-size=1t", "raid0:disks=1,chunk=64k",
    "raid1:disks=2,size=1t", "raid4:disks=2,chunk=4k", "raid5:data=4,chunk=64k",
    "raid6:sw=12,su=128K", "raid10:disks=5,chunk=512k", "raid10f2:disks=2,chunk=512k",
    "raid10o3:disks=9,chunk=192k", "raid50:disks=9,legs=3,chunk=64k",
    "raid60:data=36,legs=3,chunk=128k", "raid10:disks=12,legs=3,chunk=64k",
    "raid5:disks=4,chunk=512k,offset=32256,sector=512/4096,rotational=0,layout=left-symmetric",
    "raid10:disks=4,chunk=64k,layout=f2",
};

START_TEST(taken)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_error err = {0};
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    int code = xfsa_facts_describe(facts, good[_i], &err);
    ck_assert_msg(code == 0, "%s: %s", good[_i], err.text);
    ck_assert_uint_eq(facts->subject_count, 1);
    xfsa_facts_free(facts);
}
END_TEST

START_TEST(too_long)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_error err = {0};
    size_t length = 1 << 20;
    char *text = malloc(length + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', length);
    text[length] = '\0';
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_facts_describe(facts, text, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "longer"));
    ck_assert_uint_lt(strlen(err.text), 200);
    free(text);
    xfsa_facts_free(facts);
}
END_TEST

/* Bytes that would disturb a terminal do not reach the error text. */
START_TEST(hostile_bytes)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_error err = {0};
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_lt(xfsa_facts_describe(facts, "raid6:\033[31m\n=4", &err), 0);
    for (const char *at = err.text; *at; at++)
        ck_assert_msg((unsigned char)*at >= 0x20, "%s", err.text);
    xfsa_facts_free(facts);
}
END_TEST

START_TEST(single_facts)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_error err = {0};
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md0", "chunk", "512k", "me", &err), 0);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md0", "level", "raid5", "me", &err), 0);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md1", "disks", "3", "me", &err), 0);
    ck_assert_uint_eq(facts->subject_count, 2);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md0", "hue", "3", "me", &err), -EINVAL);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md0", "chunk", "big", "me", &err), -EINVAL);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md0", "chunk", "1", "me", &err), -ERANGE);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md0", "level", "\xff", "me", &err), -EINVAL);
    ck_assert_int_eq(xfsa_facts_add(facts, "/dev/md0", "rotational", "2", "me", NULL), -EINVAL);
    ck_assert_uint_eq(facts->count, 3);
    xfsa_facts_free(facts);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("description");
    TCase *tests = tcase_create("description");
    tcase_add_loop_test(tests, refused, 0, sizeof(bad) / sizeof(bad[0]));
    tcase_add_loop_test(tests, taken, 0, sizeof(good) / sizeof(good[0]));
    tcase_add_test(tests, too_long);
    tcase_add_test(tests, hostile_bytes);
    tcase_add_test(tests, single_facts);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
