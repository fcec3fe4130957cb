// SPDX-License-Identifier: LGPL-2.1-or-later
// Sizes, numbers, versions, UTF-8 and the places in table texts.
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "suite.h"

static const struct {
    const char *text;
    int code;
    uint64_t bytes;
} sizes[] = {
    {"0", 0, 0},
    {"4096", 0, 4096},
    {"64k", 0, 65536},
    {"64K", 0, 65536},
    {"3m", 0, 3145728},
    {"2g", 0, UINT64_C(2147483648)},
    {"12t", 0, UINT64_C(13194139533312)},
    {"7p", 0, UINT64_C(7881299347898368)},
    {"9223372036854775807", 0, INT64_MAX},
    {"9223372036854775808", -ERANGE, 0},
    {"8192p", -ERANGE, 0},
    {"1180591620717411303424", -ERANGE, 0},
    {"99999999999999999999999999999999999999999999", -ERANGE, 0},
    {"", -EINVAL, 0},
    {"k", -EINVAL, 0},
    {"12x", -EINVAL, 0},
    {"-5", -EINVAL, 0},
    {"+5", -EINVAL, 0},
    {" 5", -EINVAL, 0},
    {"5 ", -EINVAL, 0},
    {"1.5t", -EINVAL, 0},
    {"0x10", -EINVAL, 0},
    {"64b", -EINVAL, 0},
    {"64kk", -EINVAL, 0},
    {"64kb", -EINVAL, 0},
};

START_TEST(size_parse)
{
    uint64_t bytes = 77;
    ck_assert_int_eq(xa_size_parse(sizes[_i].text, strlen(sizes[_i].text), &bytes),
                     sizes[_i].code);
    ck_assert_uint_eq(bytes, sizes[_i].code ? 77 : sizes[_i].bytes);
}
END_TEST

START_TEST(size_text)
{
    char out[SIZE_TEXT_MAX];
    ck_assert_str_eq(xa_size_text(0, out), "0");
    ck_assert_str_eq(xa_size_text(512, out), "512");
    ck_assert_str_eq(xa_size_text(1024, out), "1k");
    ck_assert_str_eq(xa_size_text(1572864, out), "1536k");
    ck_assert_str_eq(xa_size_text(UINT64_C(1) << 40, out), "1t");
    ck_assert_str_eq(xa_size_text(UINT64_C(12001920000000), out), "11720625000k");
    ck_assert_str_eq(xa_size_text(UINT64_MAX, out), "18446744073709551615");
}
END_TEST

/* Whatever is printed as a size reads back as the same number. */
START_TEST(size_round_trip)
{
    char out[SIZE_TEXT_MAX];
    uint64_t seed = 88172645463325252u;
    for (unsigned at = 0; at < 10000; at++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        uint64_t bytes = (seed >> (seed % 63)) & INT64_MAX & ~((UINT64_C(1) << (seed % 40)) - 1);
        uint64_t back = 0;
        xa_size_text(bytes, out);
        ck_assert_int_eq(xa_size_parse(out, strlen(out), &back), 0);
        ck_assert_uint_eq(back, bytes);
    }
}
END_TEST

static const struct {
    const char *text;
    int code;
    uint32_t version;
} versions[] = {
    {"6.1", 0, 6001},          {"6.1.0", 0, 6001},     {"6.13.0-1", 0, 6013},
    {"7.2", 0, 7002},          {"4.18.0-553.el8", 0, 4018},
    {"6.18.44-fc-v782", 0, 6018}, {"6.1+b1", 0, 6001}, {"6", -EINVAL, 0},
    {"6.", -EINVAL, 0},        {".1", -EINVAL, 0},     {"", -EINVAL, 0},
    {"six.one", -EINVAL, 0},   {"6.1x", -EINVAL, 0},   {"99999.1", -EINVAL, 0},
    {"6.99999", -EINVAL, 0},   {"-6.1", -EINVAL, 0},
};

START_TEST(version_parse)
{
    uint32_t version = 77;
    ck_assert_int_eq(xa_version_parse(versions[_i].text, &version), versions[_i].code);
    ck_assert_uint_eq(version, versions[_i].code ? 77 : versions[_i].version);
}
END_TEST

static const struct {
    const char *text;
    bool valid;
} utf8[] = {
    {"", true},          {"plain", true},         {"gr\xc3\xbc\xc3\x9f", true},
    {"\xe2\x82\xac", true}, {"\xf0\x9f\x98\x80", true}, {"\xff", false},
    {"\xc3", false},     {"\xc0\x80", false},     {"\xed\xa0\x80", false},
    {"\xe0\x80\x80", false}, {"\xf4\x90\x80\x80", false}, {"\x80", false},
    {"a\xe2\x82", false},
};

START_TEST(utf8_valid)
{
    ck_assert_int_eq(xa_utf8_valid(utf8[_i].text), utf8[_i].valid);
}
END_TEST

START_TEST(templates)
{
    struct buf buf = {0};
    const struct arg args[] = {{65536, NULL}, {(uint64_t)-4096, NULL}, {0, "name"}, {0, NULL}};
    xa_buf_template(&buf, "{0} is {1} of {2}{3}.", "bntt", args);
    ck_assert_str_eq(buf.text, "64k is -4096 of name.");
    xa_buf_free(&buf);
    xa_buf_template(&buf, "", "", args);
    char *text = xa_buf_take(&buf);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_loop_test(tests, size_parse, 0, sizeof(sizes) / sizeof(sizes[0]));
    tcase_add_test(tests, size_text);
    tcase_add_test(tests, size_round_trip);
    tcase_add_loop_test(tests, version_parse, 0, sizeof(versions) / sizeof(versions[0]));
    tcase_add_loop_test(tests, utf8_valid, 0, sizeof(utf8) / sizeof(utf8[0]));
    tcase_add_test(tests, templates);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
