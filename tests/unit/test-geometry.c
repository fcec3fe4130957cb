// SPDX-License-Identifier: LGPL-2.1-or-later
// Geometry of every level, where a file system starts, and sources that disagree.
#include "advice.h"

#define K UINT64_C(1024)

static const struct {
    const char *text;
    bool striped;
    uint64_t unit, data, parity, width, leg_width;
} shapes[] = {
    {"raid0:disks=14,chunk=128k,size=9t", true, 128 * K, 14, 0, 1792 * K, 1792 * K},
    {"raid0:disks=12,chunk=128k,size=9t", true, 128 * K, 12, 0, 1536 * K, 1536 * K},
    {"raid0:disks=1,chunk=64k,size=9t", false, 0, 1, 0, 0, 0},
    {"raid1:disks=3,size=9t", false, 0, 1, 0, 0, 0},
    {"raid4:disks=5,chunk=64k,size=9t", true, 64 * K, 4, 1, 256 * K, 256 * K},
    {"raid4:disks=2,chunk=64k,size=9t", false, 0, 1, 1, 0, 0},
    {"raid5:disks=14,chunk=128k,size=9t", true, 128 * K, 13, 1, 1664 * K, 1664 * K},
    {"raid5:disks=10,chunk=128k,size=9t", true, 128 * K, 9, 1, 1152 * K, 1152 * K},
    {"raid5:disks=2,chunk=64k,size=9t", false, 0, 1, 1, 0, 0},
    {"raid5:data=9,chunk=128k,size=9t", true, 128 * K, 9, 1, 1152 * K, 1152 * K},
    {"raid6:disks=10,chunk=128k,size=9t", true, 128 * K, 8, 2, 1024 * K, 1024 * K},
    {"raid6:disks=14,chunk=128k,size=9t", true, 128 * K, 12, 2, 1536 * K, 1536 * K},
    {"raid6:disks=3,chunk=64k,size=9t", false, 0, 1, 2, 0, 0},
    {"raid10:disks=4,chunk=256k,size=9t", true, 256 * K, 2, 0, 512 * K, 512 * K},
    {"raid10n2:disks=12,chunk=512k,size=9t", true, 512 * K, 6, 0, 3072 * K, 3072 * K},
    {"raid10n2:disks=2,chunk=512k,size=9t", false, 0, 1, 0, 0, 0},
    {"raid10n2:disks=5,chunk=64k,size=9t", true, 64 * K, 5, 0, 320 * K, 320 * K},
    {"raid10n2:disks=3,chunk=64k,size=9t", true, 64 * K, 3, 0, 192 * K, 192 * K},
    {"raid10n3:disks=6,chunk=64k,size=9t", true, 64 * K, 2, 0, 128 * K, 128 * K},
    {"raid10n3:disks=5,chunk=64k,size=9t", true, 64 * K, 5, 0, 320 * K, 320 * K},
    {"raid10f2:disks=2,chunk=512k,size=9t", true, 512 * K, 2, 0, 1024 * K, 1024 * K},
    {"raid10f2:disks=6,chunk=64k,size=9t", true, 64 * K, 6, 0, 384 * K, 384 * K},
    {"raid10o2:disks=4,chunk=64k,size=9t", true, 64 * K, 4, 0, 256 * K, 256 * K},
    {"raid10:disks=12,legs=3,chunk=64k,size=9t", true, 64 * K, 6, 0, 384 * K, 128 * K},
    {"raid50:disks=9,legs=3,chunk=64k,size=9t", true, 64 * K, 6, 3, 384 * K, 128 * K},
    {"raid50:disks=4,legs=2,chunk=64k,size=9t", true, 64 * K, 2, 2, 128 * K, 64 * K},
    {"raid60:disks=42,legs=3,chunk=128k,size=9t", true, 128 * K, 36, 6, 4608 * K, 1536 * K},
    {"linear:disks=3,size=9t", false, 0, 1, 0, 0, 0},
    {"none:size=9t", false, 0, 1, 0, 0, 0},
};

START_TEST(shape)
{
    struct xfsa_advice *advice = advise(shapes[_i].text, NULL);
    const struct geometry *g = &advice->items[0].geometry;
    ck_assert_msg(g->known, "%s", shapes[_i].text);
    ck_assert_int_eq(g->striped, shapes[_i].striped);
    ck_assert_uint_eq(g->stripe_unit_bytes, shapes[_i].unit);
    ck_assert_uint_eq(g->data_disks, shapes[_i].data);
    ck_assert_uint_eq(g->parity_disks, shapes[_i].parity);
    ck_assert_uint_eq(g->stripe_width_bytes, shapes[_i].width);
    ck_assert_uint_eq(g->leg_stripe_width_bytes, shapes[_i].leg_width);
    ck_assert_uint_eq(g->partition_alignment_bytes, shapes[_i].width);
    ck_assert_int_eq(xfsa_advice_status(advice, 0), 0);
    xfsa_advice_free(advice);
}
END_TEST

static const struct {
    const char *text;
    uint64_t size;
} capacities[] = {
    {"raid0:disks=4,chunk=64k,disk-size=1t", UINT64_C(4) << 40},
    {"raid1:disks=3,disk-size=1t", UINT64_C(1) << 40},
    {"raid5:disks=4,chunk=64k,disk-size=1t", UINT64_C(3) << 40},
    {"raid6:disks=8,chunk=64k,disk-size=1t", UINT64_C(6) << 40},
    {"raid10:disks=5,chunk=64k,disk-size=1t", UINT64_C(5) << 39},
    {"raid10f2:disks=4,chunk=64k,disk-size=1t", UINT64_C(2) << 40},
    {"raid60:disks=12,legs=2,chunk=64k,disk-size=1t", UINT64_C(8) << 40},
    {"linear:disks=3,disk-size=1t", UINT64_C(3) << 40},
    {"raid5:disks=3,chunk=64k,disk-size=1000204886016", UINT64_C(15261915) * 65536 * 2},
    {"none:disk-size=1t,offset=1m", (UINT64_C(1) << 40) - (1 << 20)},
};

START_TEST(capacity)
{
    struct xfsa_advice *advice = advise(capacities[_i].text, NULL);
    ck_assert_uint_eq(advice->items[0].geometry.size_bytes, capacities[_i].size);
    xfsa_advice_free(advice);
}
END_TEST

static const struct {
    const char *text;
    enum start start;
    enum finding_id finding; /* FINDING_ROWS: none of the two */
    uint64_t right_sectors;
    const char *line;
} starts[] = {
    {"raid5:disks=4,chunk=512k,size=9t,offset=1m", START_STRIPE_UNIT,
     FINDING_START_NOT_FULL_STRIPE, 3072, "mkfs.xfs -d su=512k,sw=3 -l su=32k DEVICE"},
    {"raid5:disks=4,chunk=512k,size=9t,offset=1536k", START_FULL_STRIPE, FINDING_ROWS, 3072,
     "mkfs.xfs -d su=512k,sw=3 -l su=32k DEVICE"},
    {"raid5:disks=4,chunk=512k,size=9t,offset=32256", START_MISALIGNED, FINDING_START_MISALIGNED,
     3072, "mkfs.xfs -d noalign DEVICE"},
    {"raid5:disks=4,chunk=512k,size=9t,offset=0", START_FULL_STRIPE, FINDING_ROWS, 3072,
     "mkfs.xfs -d su=512k,sw=3 -l su=32k DEVICE"},
    {"raid0:disks=3,chunk=512k,size=9t,offset=1m", START_STRIPE_UNIT, FINDING_ROWS, 3072,
     "mkfs.xfs -d su=512k,sw=3 -l su=32k DEVICE"},
    {"raid0:disks=4,chunk=64k,size=9t,offset=32256", START_MISALIGNED, FINDING_START_MISALIGNED,
     2048, "mkfs.xfs -d noalign DEVICE"},
    {"raid6:disks=8,chunk=64k,size=9t,offset=1m", START_STRIPE_UNIT,
     FINDING_START_NOT_FULL_STRIPE, 2304, "mkfs.xfs -d su=64k,sw=6 DEVICE"},
    {"raid60:disks=8,legs=2,chunk=64k,size=9t,offset=128k", START_STRIPE_UNIT, FINDING_ROWS, 2048,
     "mkfs.xfs -d su=128k,sw=2 -l su=32k DEVICE"},
    {"raid60:disks=8,legs=2,chunk=64k,size=9t,offset=64k", START_STRIPE_UNIT,
     FINDING_START_NOT_FULL_STRIPE, 2048, "mkfs.xfs -d su=128k,sw=2 -l su=32k DEVICE"},
    {"none:size=9t,offset=32256", START_FULL_STRIPE, FINDING_ROWS, 0, "mkfs.xfs DEVICE"},
};

START_TEST(start)
{
    struct xfsa_advice *advice = advise(starts[_i].text, NULL);
    const struct geometry *g = &advice->items[0].geometry;
    ck_assert_int_eq(g->start, starts[_i].start);
    ck_assert_uint_eq(g->right_start_sectors, starts[_i].right_sectors);
    for (unsigned id = FINDING_START_NOT_FULL_STRIPE; id <= FINDING_START_MISALIGNED; id++)
        ck_assert_msg(has_finding(advice, id) == (starts[_i].finding == id), "%s: %s",
                      starts[_i].text, xa_finding_table[id].id);
    ck_assert_str_eq(mkfs_line(advice), starts[_i].line);
    xfsa_advice_free(advice);
}
END_TEST

static const struct {
    const char *text;
    const char *missing;
} incomplete[] = {
    {"raid6:disks=14,size=9t", "chunk"},
    {"raid6:chunk=64k,size=9t", "disks"},
    {"raid6", "disks"},
    {"raid60:disks=14,chunk=64k,size=9t", "legs"},
    {"raid6:disks=14,chunk=64k", "size"},
    {"none", "size"},
};

START_TEST(missing)
{
    struct xfsa_advice *advice = advise(incomplete[_i].text, NULL);
    struct xfsa_finding finding;
    ck_assert_int_eq(xfsa_advice_status(advice, 0), 3);
    ck_assert(has_finding(advice, FINDING_FACTS_MISSING));
    ck_assert_ptr_null(xfsa_advice_mkfs(advice, 0));
    ck_assert_int_eq(xfsa_advice_finding(advice, 0, 0, &finding, sizeof(finding)), 0);
    ck_assert_ptr_nonnull(strstr(finding.text, incomplete[_i].missing));
    ck_assert_str_eq(finding.severity, "error");
    xfsa_advice_free(advice);
}
END_TEST

/* Facts of one array from sources of any kind. */
struct told {
    enum attribute_id attribute;
    enum source_kind kind;
    const char *source;
    uint64_t number;
    const char *text;
};

static struct xfsa_advice *advise_told(const struct told *told, size_t count)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_request *request = NULL;
    struct xfsa_advice *advice = NULL;
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_request_new(&request), 0);
    int subject = xa_facts_subject(facts, "/dev/md0");
    ck_assert_int_ge(subject, 0);
    facts->subjects[subject].wanted = true;
    for (size_t at = 0; at < count; at++) {
        struct fact fact = {(unsigned)subject, told[at].attribute, told[at].kind,
                            told[at].source, told[at].number, told[at].text};
        ck_assert_int_eq(xa_facts_add(facts, &fact), 0);
    }
    ck_assert_int_eq(xfsa_advise(facts, request, &advice, NULL), 0);
    xfsa_facts_free(facts);
    xfsa_request_free(request);
    return advice;
}

#define RAID5_OF_4(chunk_kind, chunk) \
    {ATTRIBUTE_LEVEL, SOURCE_KIND_KERNEL, "sysfs", 0, "raid5"}, \
    {ATTRIBUTE_DISKS, SOURCE_KIND_KERNEL, "sysfs", 4, NULL}, \
    {ATTRIBUTE_SIZE, SOURCE_KIND_KERNEL, "sysfs", UINT64_C(3) << 40, NULL}, \
    {ATTRIBUTE_CHUNK, chunk_kind, "first", chunk, NULL}

START_TEST(stronger_source_wins)
{
    for (unsigned order = 0; order < 2; order++) {
        struct told told[] = {RAID5_OF_4(SOURCE_KIND_KERNEL, 524288),
                              {ATTRIBUTE_CHUNK, SOURCE_KIND_HINT, "second", 65536, NULL}};
        if (order) {
            struct told last = told[4];
            memmove(told + 1, told, 4 * sizeof(*told));
            told[0] = last;
        }
        struct xfsa_advice *advice = advise_told(told, 5);
        struct xfsa_finding finding;
        ck_assert_uint_eq(advice->items[0].geometry.stripe_unit_bytes, 524288);
        ck_assert_int_eq(xfsa_advice_finding(advice, 0, 0, &finding, sizeof(finding)), 0);
        ck_assert_str_eq(finding.id, "fact-conflict");
        ck_assert_str_eq(finding.text,
                         "chunk is 512k says first, 64k says second; the first was taken");
        xfsa_advice_free(advice);
    }
}
END_TEST

START_TEST(equal_sources_settle_nothing)
{
    const struct told told[] = {RAID5_OF_4(SOURCE_KIND_TEXT, 524288),
                                {ATTRIBUTE_CHUNK, SOURCE_KIND_TEXT, "second", 65536, NULL}};
    struct xfsa_advice *advice = advise_told(told, 5);
    ck_assert(has_finding(advice, FINDING_FACT_UNRESOLVED));
    ck_assert(!advice->items[0].geometry.known);
    ck_assert_int_eq(xfsa_advice_status(advice, 0), 3);
    ck_assert_ptr_null(xfsa_advice_mkfs(advice, 0));
    xfsa_advice_free(advice);
}
END_TEST

START_TEST(stronger_source_settles_equal_ones)
{
    const struct told told[] = {RAID5_OF_4(SOURCE_KIND_TEXT, 524288),
                                {ATTRIBUTE_CHUNK, SOURCE_KIND_TEXT, "second", 65536, NULL},
                                {ATTRIBUTE_CHUNK, SOURCE_KIND_KERNEL, "third", 65536, NULL}};
    struct xfsa_advice *advice = advise_told(told, 6);
    ck_assert_uint_eq(advice->items[0].geometry.stripe_unit_bytes, 65536);
    ck_assert(!has_finding(advice, FINDING_FACT_UNRESOLVED));
    ck_assert(has_finding(advice, FINDING_FACT_CONFLICT));
    xfsa_advice_free(advice);
}
END_TEST

START_TEST(agreeing_sources)
{
    const struct told told[] = {RAID5_OF_4(SOURCE_KIND_TEXT, 524288),
                                {ATTRIBUTE_CHUNK, SOURCE_KIND_USER, "second", 524288, NULL}};
    struct xfsa_advice *advice = advise_told(told, 5);
    ck_assert_uint_eq(advice->items[0].geometry.stripe_unit_bytes, 524288);
    ck_assert(!has_finding(advice, FINDING_FACT_CONFLICT));
    ck_assert(!has_finding(advice, FINDING_FACT_UNRESOLVED));
    xfsa_advice_free(advice);
}
END_TEST

START_TEST(impossible_facts)
{
    const struct told told[] = {{ATTRIBUTE_LEVEL, SOURCE_KIND_TEXT, "t", 0, "raid6"},
                                {ATTRIBUTE_DISKS, SOURCE_KIND_TEXT, "t", 2, NULL},
                                {ATTRIBUTE_SIZE, SOURCE_KIND_TEXT, "t", UINT64_C(1) << 40, NULL},
                                {ATTRIBUTE_CHUNK, SOURCE_KIND_TEXT, "t", 65536, NULL}};
    struct xfsa_advice *advice = advise_told(told, 4);
    ck_assert(has_finding(advice, FINDING_GEOMETRY_CONTRADICTION));
    ck_assert_int_eq(xfsa_advice_status(advice, 0), 3);
    ck_assert_ptr_null(xfsa_advice_mkfs(advice, 0));
    xfsa_advice_free(advice);
}
END_TEST

#define LOOP(test, table) \
    tcase_add_loop_test(tests, test, 0, sizeof(table) / sizeof((table)[0]))

int main(void)
{
    Suite *suite = suite_create("geometry");
    TCase *tests = tcase_create("geometry");
    LOOP(shape, shapes);
    LOOP(capacity, capacities);
    LOOP(start, starts);
    LOOP(missing, incomplete);
    tcase_add_test(tests, stronger_source_wins);
    tcase_add_test(tests, equal_sources_settle_nothing);
    tcase_add_test(tests, stronger_source_settles_equal_ones);
    tcase_add_test(tests, agreeing_sources);
    tcase_add_test(tests, impossible_facts);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
