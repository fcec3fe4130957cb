// SPDX-License-Identifier: LGPL-2.1-or-later
// The rules: which line is given for which storage, workload and request, and what is found.
#include "advice.h"

#define RAID6 "raid6:disks=14,chunk=128k,size=12001920000000"
#define MD_RAID6 "raid6:disks=8,chunk=512k,size=4t,layout=left-symmetric"
#define RAID10 "raid10n2:disks=12,chunk=512k,size=36006244909056,sector=4096"

static const struct {
    const char *text;
    const char *pairs[7];
    const char *line;
} lines[] = {
    {RAID6, {NULL}, "mkfs.xfs -d su=128k,sw=12 -l su=32k DEVICE"},
    {RAID6, {"workload", "database"}, "mkfs.xfs -d su=128k,sw=12 -l su=4k DEVICE"},
    {RAID6, {"workload", "vm-images"}, "mkfs.xfs -d su=128k,sw=12 -l su=4k DEVICE"},
    {RAID6, {"workload", "small-files"}, "mkfs.xfs -d su=128k,sw=12 -l su=4k DEVICE"},
    {RAID6, {"workload", "streaming"}, "mkfs.xfs -d su=128k,sw=12 -l su=32k DEVICE"},
    {RAID6, {"workload", "backup"}, "mkfs.xfs -d su=128k,sw=12 -l su=32k DEVICE"},
    {RAID6, {"overwrite", NULL, "no-discard", NULL},
     "mkfs.xfs -f -K -d su=128k,sw=12 -l su=32k DEVICE"},
    {RAID6, {"label", "data", "uuid", "01234567-89ab-cdef-0123-456789abcdef"},
     "mkfs.xfs -d su=128k,sw=12 -l su=32k -m uuid=01234567-89ab-cdef-0123-456789abcdef -L data "
     "DEVICE"},
    {RAID6, {"sector-size", "4096"}, "mkfs.xfs -d su=128k,sw=12 -l su=32k -s size=4k DEVICE"},
    {RAID6, {"block-size", "64k", "workload", "database"},
     "mkfs.xfs -b size=64k -d su=128k,sw=12 -l su=64k DEVICE"},
    {RAID6, {"block-size", "64k"}, "mkfs.xfs -b size=64k -d su=128k,sw=12 -l su=64k DEVICE"},
    {RAID6, {"kernel", "5.4"},
     "mkfs.xfs -d su=128k,sw=12 -l su=32k -m bigtime=0,inobtcount=0 DEVICE"},
    {RAID6, {"xfsprogs", "7.2", "kernel", "6.1"},
     "mkfs.xfs -d su=128k,sw=12 -i exchange=0 -l su=32k -n parent=0 DEVICE"},
    {RAID6, {"xfsprogs", "6.13", "kernel", "4.18"},
     "mkfs.xfs -d su=128k,sw=12 -i nrext64=0 -l su=32k -m bigtime=0,inobtcount=0 DEVICE"},
    {RAID6, {"log-device", "/dev/md10", "log-size", "512m"},
     "mkfs.xfs -d su=128k,sw=12 -l logdev=/dev/md10,size=512m DEVICE"},
    {RAID6, {"log-device", "/dev/md10", "log-size", "2038m"},
     "mkfs.xfs -d su=128k,sw=12 -l logdev=/dev/md10,size=2038m DEVICE"},
    {RAID6, {"sector-size", "512"}, "mkfs.xfs -d su=128k,sw=12 -l su=32k -s size=512 DEVICE"},
    {RAID6, {"agsize", "100g"}, "mkfs.xfs -d su=128k,sw=12,agsize=100g -l su=32k DEVICE"},
    {"raid5:disks=5,chunk=64k,size=4t", {NULL}, "mkfs.xfs -d su=64k,sw=4 DEVICE"},
    {"raid5:disks=5,chunk=64k,size=4t,sector=4096", {NULL},
     "mkfs.xfs -d su=64k,sw=4 -l su=64k -s size=4k DEVICE"},
    {"raid5:disks=5,chunk=4k,size=4t", {"workload", "database"},
     "mkfs.xfs -d su=4k,sw=4 DEVICE"},
    {"raid5:disks=2,chunk=64k,size=4t", {NULL}, "mkfs.xfs -d noalign DEVICE"},
    {"raid0:disks=1,chunk=64k,size=4t", {NULL}, "mkfs.xfs -d noalign DEVICE"},
    {"raid10n2:disks=2,chunk=64k,size=4t", {NULL}, "mkfs.xfs -d noalign DEVICE"},
    {"raid1:disks=2,size=4t", {NULL}, "mkfs.xfs DEVICE"},
    {"none:size=4t", {"workload", "database"}, "mkfs.xfs DEVICE"},
    {RAID10, {NULL}, "mkfs.xfs -d su=512k,sw=6 -l su=32k -s size=4k DEVICE"},
    {"raid60:disks=42,legs=3,chunk=128k,size=400t", {NULL},
     "mkfs.xfs -d su=1536k,sw=3 -l su=32k DEVICE"},
    {"raid10:disks=4,chunk=256k,size=1999990000000", {NULL},
     "mkfs.xfs -d su=256k,sw=2 -l su=32k DEVICE"},
    {"raid0:disks=8,chunk=512k,size=1t", {NULL}, "mkfs.xfs -d su=512k,sw=8 -l su=32k DEVICE"},
    {MD_RAID6, {"workload", "streaming"},
     "mkfs.xfs -d su=3m,sw=1 -l su=32k DEVICE"},
    {"raid6:disks=6,chunk=64k,size=4t,layout=right-symmetric", {"workload", "backup"},
     "mkfs.xfs -d su=256k,sw=1,agsize=134218496k -l su=32k DEVICE"},
    {MD_RAID6, {"workload", "general"}, "mkfs.xfs -d su=512k,sw=6 -l su=32k DEVICE"},
    {"raid6:disks=8,chunk=64k,size=1000m", {NULL}, "mkfs.xfs -d noalign DEVICE"},
    {"raid6:disks=8,chunk=1g,size=100t", {NULL}, "mkfs.xfs -d noalign DEVICE"},
    {"raid6:disks=8,chunk=4k,size=100t", {"block-size", "64k"},
     "mkfs.xfs -b size=64k -d noalign DEVICE"},
    {"none:size=1t,rotational=0", {"writers", "16"}, "mkfs.xfs -d agsize=64g DEVICE"},
    {"none:size=1t,rotational=1", {"writers", "16"}, "mkfs.xfs DEVICE"},
    {"none:size=40g,rotational=0", {"writers", "64"}, "mkfs.xfs -d agsize=4g DEVICE"},
    {"raid0:disks=4,chunk=64k,size=1t,rotational=0", {"writers", "64"},
     "mkfs.xfs -d su=64k,sw=4,agsize=16777152k DEVICE"},
    {"linear:disks=2,disk-size=3t", {NULL}, "mkfs.xfs -d agsize=768g DEVICE"},
    {"linear:disks=4,disk-size=1t", {NULL}, "mkfs.xfs -d agsize=512g DEVICE"},
    {"linear:disks=4,size=4t", {NULL}, "mkfs.xfs DEVICE"},
};

static struct xfsa_advice *advise_pairs(const char *text, const char *const pairs[7])
{
    return advise(text, pairs[0], pairs[1], pairs[2], pairs[3], pairs[4], pairs[5], NULL);
}

START_TEST(line)
{
    struct xfsa_advice *advice = advise_pairs(lines[_i].text, lines[_i].pairs);
    ck_assert_str_eq(mkfs_line(advice), lines[_i].line);
    ck_assert(advice->items[0].predicted);
    ck_assert_uint_eq(advice->items[0].outcome.message_count, 0);
    ck_assert_int_eq(xfsa_advice_status(advice, 0), 0);
    xfsa_advice_free(advice);
}
END_TEST

static const struct {
    const char *text;
    const char *pairs[7];
    enum finding_id finding;
    int status, strict_status;
} found[] = {
    {RAID10, {"agcount", "8192"}, FINDING_AG_COUNT_TOO_HIGH, 0, 1},
    {RAID6, {"agcount", "1"}, FINDING_AG_IMPOSSIBLE, 1, 1},
    {RAID6, {"agcount", "4"}, FINDING_AG_IMPOSSIBLE, 1, 1},
    {RAID6, {"agcount", "4294967294"}, FINDING_AG_IMPOSSIBLE, 1, 1},
    {RAID6, {"agsize", "1t"}, FINDING_AG_IMPOSSIBLE, 1, 1},
    {RAID6, {"agsize", "8m"}, FINDING_AG_IMPOSSIBLE, 1, 1},
    {RAID6, {"agsize", "107374182401"}, FINDING_AG_SIZE_ADJUSTED, 0, 0},
    {"raid0:disks=3,chunk=32m,size=10g", {"agcount", "50"}, FINDING_AG_COUNT_ADJUSTED, 0, 0},
    {RAID6, {"xfsprogs", "5.10"}, FINDING_XFSPROGS_UNKNOWN, 0, 1},
    {RAID6, {"xfsprogs", "7.3"}, FINDING_XFSPROGS_UNKNOWN, 0, 1},
    {RAID6, {"xfsprogs", "7.2"}, FINDING_ROTATIONAL_ASSUMED, 0, 0},
    {RAID6, {"workload", "streaming"}, FINDING_STREAMING_LAYOUT_UNKNOWN, 0, 0},
    {MD_RAID6, {"workload", "backup"}, FINDING_STREAMING_FULL_STRIPE, 0, 0},
    {RAID6, {"log-device", "/dev/md10"}, FINDING_LOG_SIZE_ASSUMED, 0, 1},
    {RAID6, {"log-device", "/dev/md10", "log-size", "1g"}, FINDING_LOG_NOT_MIRRORED, 0, 0},
    {RAID6, {"log-device", "/dev/md10", "log-size", "4g"}, FINDING_MKFS_REFUSES, 1, 1},
    {RAID6, {"kernel", "3.2"}, FINDING_KERNEL_TOO_OLD, 1, 1},
    {"raid5:disks=4,chunk=64k,disk-size=10g,offset=40g", {NULL}, FINDING_GEOMETRY_CONTRADICTION,
     3, 3},
    {"linear:disks=4,disk-size=1g", {NULL}, FINDING_CONCAT_SIZE_UNKNOWN, 0, 0},
    {RAID6, {"log-size", "1t"}, FINDING_MKFS_REFUSES, 1, 1},
    {RAID6, {"log-size", "1m"}, FINDING_MKFS_REFUSES, 1, 1},
    {RAID6, {"block-size", "16k"}, FINDING_BLOCK_ABOVE_PAGE, 0, 1},
    {RAID6, {"block-size", "1k", "sector-size", "4k"}, FINDING_MKFS_REFUSES, 1, 1},
    {"raid6:disks=8,chunk=64k,size=100m", {NULL}, FINDING_TOO_SMALL, 1, 1},
    {"none:size=299m", {NULL}, FINDING_TOO_SMALL, 1, 1},
    {"raid6:disks=8,chunk=64k,size=1000m", {NULL}, FINDING_SMALL_FOR_STRIPE, 0, 1},
    {"raid6:disks=8,chunk=1g,size=100t", {NULL}, FINDING_STRIPE_WIDTH_TOO_LARGE, 0, 1},
    {"raid6:disks=8,chunk=4k,size=100t", {"block-size", "64k"}, FINDING_CHUNK_NOT_BLOCKS, 0, 1},
    {"none:size=1t,rotational=1", {"writers", "16"}, FINDING_WRITERS_ROTATIONAL, 0, 0},
    {"linear:disks=4,size=4t", {NULL}, FINDING_CONCAT_SIZE_UNKNOWN, 0, 0},
};

START_TEST(finding)
{
    struct xfsa_advice *advice = advise_pairs(found[_i].text, found[_i].pairs);
    ck_assert_msg(has_finding(advice, found[_i].finding), "%s: no %s", found[_i].text,
                  xa_finding_table[found[_i].finding].id);
    ck_assert_int_eq(xfsa_advice_status(advice, 0), found[_i].status);
    ck_assert_int_eq(xfsa_advice_status(advice, 1), found[_i].strict_status);
    ck_assert_int_eq(xfsa_advice_mkfs(advice, 0) == NULL, found[_i].status != 0);
    xfsa_advice_free(advice);
}
END_TEST

/* Normal numbers of AGs are not complained about. */
START_TEST(normal_ags)
{
    const char *const texts[] = {"raid6:disks=14,chunk=128k,size=400t",
                                 "none:size=1t,rotational=0", "raid0:disks=2,chunk=512k,size=7t"};
    for (unsigned at = 0; at < 3; at++) {
        struct xfsa_advice *advice = advise(texts[at], "xfsprogs", "7.2", "cpus", "128", NULL);
        ck_assert(!has_finding(advice, FINDING_AG_COUNT_TOO_HIGH));
        xfsa_advice_free(advice);
    }
}
END_TEST

START_TEST(too_many_ags)
{
    struct xfsa_advice *advice = advise(RAID10, "agcount", "8192", NULL);
    ck_assert_uint_eq(advice->items[0].outcome.ag_count, 8192);
    ck_assert_uint_eq(advice->items[0].outcome.ag_blocks, 1073152);
    xfsa_advice_free(advice);
    advice = advise(RAID10, NULL);
    ck_assert_uint_eq(advice->items[0].outcome.ag_count, 33);
    ck_assert_uint_eq(advice->items[0].outcome.ag_blocks, 268435328);
    xfsa_advice_free(advice);
}
END_TEST

/* Figures that a public report printed, each from a plain size. */
static const struct {
    uint64_t blocks;
    uint64_t ag_count, ag_blocks;
} reported[] = {{244140187, 4, 61035047}, {3417967163, 13, 268435455}};

START_TEST(plain_sizes)
{
    char text[64];
    snprintf(text, sizeof(text), "none:size=%llu",
             (unsigned long long)reported[_i].blocks * 4096);
    struct xfsa_advice *advice = advise(text, NULL);
    ck_assert_uint_eq(advice->items[0].outcome.ag_count, reported[_i].ag_count);
    ck_assert_uint_eq(advice->items[0].outcome.ag_blocks, reported[_i].ag_blocks);
    xfsa_advice_free(advice);
}
END_TEST

static const struct {
    const char *pairs[7];
    const char *options;
} mounts[] = {
    {{NULL}, ""},
    {{"workload", "database"}, "noatime"},
    {{"workload", "vm-images"}, "noatime"},
    {{"workload", "small-files"}, "noatime,logbsize=256k"},
    {{"workload", "backup"}, "noatime,logbsize=256k"},
    {{"workload", "streaming"}, ""},
    {{"workload", "streaming", "writers", "2", "file-size", "1g"}, "allocsize=1g"},
    {{"workload", "streaming", "writers", "1", "file-size", "1g"}, ""},
    {{"workload", "streaming", "writers", "6", "file-size", "1023m"}, ""},
    {{"workload", "general", "writers", "6", "file-size", "20g"}, ""},
    {{"kernel", "2.6.32"}, "inode64"},
    {{"log-device", "/dev/md10", "log-size", "1g"}, "logdev=/dev/md10"},
};

START_TEST(mount_options)
{
    struct xfsa_advice *advice = advise_pairs(RAID6, mounts[_i].pairs);
    struct buf options = {0};
    xa_line_mount_options(&advice->items[0], &options);
    ck_assert_str_eq(options.text ? options.text : "", mounts[_i].options);
    xa_buf_free(&options);
    xfsa_advice_free(advice);
}
END_TEST

static const struct {
    const char *pairs[7];
    const char *line;
} fstabs[] = {
    {{NULL}, "DEVICE MOUNTPOINT xfs defaults 0 0"},
    {{"mountpoint", "/srv/a b\\c\td#"}, "DEVICE /srv/a\\040b\\134c\\011d\\043 xfs defaults 0 0"},
    {{"label", "data 1", "workload", "backup"},
     "LABEL=data\\0401 MOUNTPOINT xfs noatime,logbsize=256k 0 0"},
    {{"uuid", "01234567-89ab-cdef-0123-456789abcdef"},
     "UUID=01234567-89ab-cdef-0123-456789abcdef MOUNTPOINT xfs defaults 0 0"},
    {{"log-device", "/dev/md10", "log-size", "1g"},
     "DEVICE MOUNTPOINT xfs logdev=/dev/md10,x-systemd.requires=/dev/md10 0 0"},
};

START_TEST(fstab)
{
    struct xfsa_advice *advice = advise_pairs(RAID6, fstabs[_i].pairs);
    struct buf text = {0};
    xa_line_fstab(&advice->items[0], &text);
    ck_assert_str_eq(text.text, fstabs[_i].line);
    xa_buf_free(&text);
    xfsa_advice_free(advice);
}
END_TEST

/* Spelling everything out changes nothing of what is made. */
START_TEST(full)
{
    const char *const texts[] = {RAID6, RAID10, MD_RAID6, "none:size=4t", "raid1:disks=2,size=1g",
                                 "raid60:disks=42,legs=3,chunk=128k,size=400t",
                                 "raid0:disks=4,chunk=96k,size=1t,sector=4096"};
    for (unsigned at = 0; at < sizeof(texts) / sizeof(texts[0]); at++) {
        struct xfsa_advice *plain = advise(texts[at], "xfsprogs", "7.2", NULL);
        struct xfsa_advice *spelled = advise(texts[at], "xfsprogs", "7.2", "full", NULL, NULL);
        struct mkfs_outcome *a = &plain->items[0].outcome, *b = &spelled->items[0].outcome;
        ck_assert_int_eq(b->status, 0);
        ck_assert_int_eq(memcmp(a, b, offsetof(struct mkfs_outcome, messages)), 0);
        ck_assert_uint_eq(b->message_count, 0);
        ck_assert_ptr_nonnull(strstr(mkfs_line(spelled), "agsize="));
        xfsa_advice_free(plain);
        xfsa_advice_free(spelled);
    }
}
END_TEST

/* An unknown release: the lines stand, and nothing is predicted. */
START_TEST(not_predicted)
{
    struct xfsa_advice *advice = advise(RAID6, "xfsprogs", "5.10", NULL);
    uint64_t value = 0;
    ck_assert_str_eq(mkfs_line(advice), "mkfs.xfs -d su=128k,sw=12 -l su=32k DEVICE");
    ck_assert_int_eq(xfsa_advice_figure(advice, 0, XFSA_AG_COUNT, &value), -ENOENT);
    ck_assert_int_eq(xfsa_advice_figure(advice, 0, XFSA_RECOMMENDED_SU, &value), 0);
    ck_assert_uint_eq(value, 131072);
    xfsa_advice_free(advice);
}
END_TEST

START_TEST(nothing_said_about_the_target)
{
    struct xfsa_facts *facts = NULL;
    struct xfsa_request *request = NULL;
    struct xfsa_advice *advice = NULL;
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_request_new(&request), 0);
    ck_assert_int_eq(xfsa_advise(facts, request, &advice, NULL), -ENODATA);
    ck_assert_int_eq(xfsa_facts_describe(facts, RAID6, NULL), 0);
    ck_assert_int_eq(xfsa_advise(facts, request, &advice, NULL), 0);
    ck_assert(has_finding(advice, FINDING_ASSUMED));
    ck_assert(has_finding(advice, FINDING_KERNEL_UNKNOWN));
    ck_assert_int_eq(xfsa_advice_status(advice, 0), 0);
    xfsa_advice_free(advice);
    ck_assert_int_eq(xfsa_request_set_target(request, "xfsprogs", "7.2", XFSA_ORIGIN_HOST, NULL),
                     0);
    xfsa_facts_free(facts);
    ck_assert_int_eq(xfsa_facts_new(&facts), 0);
    ck_assert_int_eq(xfsa_facts_describe(facts, RAID6 ",rotational=0", NULL), 0);
    ck_assert_int_eq(xfsa_advise(facts, request, &advice, NULL), 0);
    ck_assert(has_finding(advice, FINDING_CPUS_ASSUMED));
    ck_assert(!has_finding(advice, FINDING_ASSUMED));
    xfsa_advice_free(advice);
    xfsa_request_free(request);
    xfsa_facts_free(facts);
}
END_TEST

/* The impossible agcount: -N says yes, a real run fails. Only the model can be asked for it. */
START_TEST(impossible_agcount)
{
    struct mkfs_profile profile;
    struct mkfs_outcome out;
    struct mkfs_line asked = {0};
    struct mkfs_environment env = {.size_bytes = UINT64_C(10) << 30, .rotational = true};
    ck_assert(xa_mkfs_profile(6001, &profile));
    asked.value[SETTING_MKFS_DATA_SU] = (struct mkfs_value){true, 32 << 20, NULL};
    asked.value[SETTING_MKFS_DATA_SW] = (struct mkfs_value){true, 3, NULL};
    asked.value[SETTING_MKFS_DATA_AGCOUNT] = (struct mkfs_value){true, 50, NULL};
    xa_mkfs_predict(&profile, &env, &asked, &out);
    ck_assert_int_eq(out.status, 0);
    ck_assert(out.real_run_fails);
    struct xfsa_advice *advice =
        advise("raid0:disks=3,chunk=32m,size=10g", "agcount", "50", NULL);
    ck_assert(has_finding(advice, FINDING_AG_COUNT_ADJUSTED));
    ck_assert(!advice->items[0].outcome.real_run_fails);
    ck_assert_uint_eq(advice->items[0].outcome.ag_count, 46);
    xfsa_advice_free(advice);
}
END_TEST

#define LOOP(test, table) \
    tcase_add_loop_test(tests, test, 0, sizeof(table) / sizeof((table)[0]))

int main(void)
{
    Suite *suite = suite_create("advice");
    TCase *tests = tcase_create("advice");
    LOOP(line, lines);
    LOOP(finding, found);
    LOOP(plain_sizes, reported);
    LOOP(mount_options, mounts);
    LOOP(fstab, fstabs);
    tcase_add_test(tests, normal_ags);
    tcase_add_test(tests, too_many_ags);
    tcase_add_test(tests, full);
    tcase_add_test(tests, not_predicted);
    tcase_add_test(tests, nothing_said_about_the_target);
    tcase_add_test(tests, impossible_agcount);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
