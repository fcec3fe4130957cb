// SPDX-License-Identifier: LGPL-2.1-or-later
// A source: an array described in one word, "raid6:disks=14,chunk=128k,size=12t".
// Each key is a row of the table below. A description that fails leaves the facts untouched.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/lookup.h"
#include "base/raid.h"
#include "base/text.h"
#include "source/facts.h"

static const char source_name[] = "geometry";
enum { DESCRIPTION_MAX = 4096, VALUE_MAX = 64 };

enum key_id {
    KEY_DISKS, KEY_CHUNK, KEY_DATA, KEY_LEGS, KEY_SIZE, KEY_DISK_SIZE, KEY_OFFSET, KEY_SECTOR,
    KEY_ROTATIONAL, KEY_LAYOUT, KEY_ROWS
};

struct key_row {
    const char *name;
    enum key_id key;
    enum attribute_id attribute;
    unsigned multiple; /* of this many bytes; 0: any number */
};

/* Aliases stand behind their key. */
static const struct key_row keys[] = {
    {"disks", KEY_DISKS, ATTRIBUTE_DISKS, 0},
    {"chunk", KEY_CHUNK, ATTRIBUTE_CHUNK, 4096},
    {"su", KEY_CHUNK, ATTRIBUTE_CHUNK, 4096},
    {"data", KEY_DATA, ATTRIBUTE_DATA_DISKS, 0},
    {"sw", KEY_DATA, ATTRIBUTE_DATA_DISKS, 0},
    {"legs", KEY_LEGS, ATTRIBUTE_LEGS, 0},
    {"size", KEY_SIZE, ATTRIBUTE_SIZE, 1},
    {"disk-size", KEY_DISK_SIZE, ATTRIBUTE_MEMBER_SIZE, 1},
    {"offset", KEY_OFFSET, ATTRIBUTE_START_OFFSET, 512},
    {"sector", KEY_SECTOR, ATTRIBUTE_LOGICAL_SECTOR, 1},
    {"rotational", KEY_ROTATIONAL, ATTRIBUTE_ROTATIONAL, 0},
    {"layout", KEY_LAYOUT, ATTRIBUTE_LAYOUT, 0},
};

/* Layouts of RAID 4, 5 and 6 that md and mdadm have names for. */
static const char *const parity_layouts[] = {"left-asymmetric", "right-asymmetric",
                                             "left-symmetric", "right-symmetric"};

struct description {
    struct raid_shape shape;
    bool given[KEY_ROWS];
    uint64_t value[KEY_ROWS];
    uint64_t physical_sector;
    const char *layout;
    char layout_text[VALUE_MAX];
};

static int fail_key(struct xfsa_error *err, const char *key, const char *why)
{
    return xa_fail(err, -EINVAL, source_name, "%s: %s", key, why);
}

static int parse_level(struct description *d, const char *name, size_t length,
                       struct xfsa_error *err)
{
    d->shape = (struct raid_shape){.pattern = RAID10_NEAR, .copies = 2, .legs = 1};
    int level = XA_LOOKUP(xa_level_table, name, length);
    if (level < 0 && length > 6 && length < 12 && strncmp(name, "raid10", 6) == 0) {
        snprintf(d->layout_text, sizeof(d->layout_text), "%.*s", (int)length - 6, name + 6);
        if (xa_raid10_layout_parse(d->layout_text, &d->shape) == 0) {
            level = LEVEL_RAID10;
            d->layout = d->layout_text;
        }
    }
    if (level < 0)
        return xa_fail(err, -EINVAL, source_name, "unknown level \"%.*s\"",
                       (int)(length < 40 ? length : 40), name);
    d->shape.level = (enum level_id)level;
    return 0;
}

static bool power_of_two(uint64_t number)
{
    return number && (number & (number - 1)) == 0;
}

/* "4096" or "512/4096": logical and physical sector. */
static int parse_sector(struct description *d, const char *value, struct xfsa_error *err)
{
    const char *slash = strchr(value, '/');
    size_t length = slash ? (size_t)(slash - value) : strlen(value);
    uint64_t logical = 0, physical = 0;
    int code = xa_size_parse(value, length, &logical);
    physical = logical;
    if (!code && slash)
        code = xa_size_parse(slash + 1, strlen(slash + 1), &physical);
    if (code || !power_of_two(logical) || !power_of_two(physical) || physical < logical ||
        xa_fact_check(ATTRIBUTE_LOGICAL_SECTOR, logical) ||
        xa_fact_check(ATTRIBUTE_PHYSICAL_SECTOR, physical))
        return fail_key(err, "sector", "write 512, 4096 or 512/4096 (logical/physical)");
    d->value[KEY_SECTOR] = logical;
    d->physical_sector = physical;
    return 0;
}

static int parse_layout(struct description *d, const char *value, struct xfsa_error *err)
{
    const struct level_row *level = &xa_level_table[d->shape.level];
    if (d->layout)
        return fail_key(err, "layout", "stands twice");
    if (level->family == FAMILY_MIRROR_STRIPE) {
        if (xa_raid10_layout_parse(value, &d->shape))
            return fail_key(err, "layout", "RAID 10 has n2, f2, o2 and the like");
    } else if (level->family != FAMILY_PARITY || level->legs ||
               XA_LOOKUP(parity_layouts, value, strlen(value)) < 0) {
        return fail_key(err, "layout", "not one that this level has");
    }
    snprintf(d->layout_text, sizeof(d->layout_text), "%s", value);
    d->layout = d->layout_text;
    return 0;
}

/* A chunk without a suffix that is no plausible number of bytes: 64 means 64k to most people. */
static int check_chunk(const char *name, const char *value, uint64_t chunk, struct xfsa_error *err)
{
    if (chunk && chunk < 4096 && strspn(value, "0123456789") == strlen(value))
        return xa_fail(err, -EINVAL, source_name, "%s: %s is in bytes; write %sk", name, value,
                       value);
    if (chunk == 0 || chunk % 4096)
        return xa_fail(err, -EINVAL, source_name, "%s: %s is no multiple of 4k above 0", name,
                       value);
    return 0;
}

static int parse_number(struct description *d, const struct key_row *row, const char *value,
                        struct xfsa_error *err)
{
    uint64_t number = 0;
    size_t length = strlen(value);
    int code = row->multiple ? xa_size_parse(value, length, &number)
                             : xa_number_parse(value, length, &number);
    if (code == -ERANGE)
        return xa_fail(err, code, source_name, "%s: %s is too large", row->name, value);
    if (code)
        return xa_fail(err, code, source_name, "%s: \"%s\" is not a %s", row->name, value,
                       row->multiple ? "size (digits, then k m g t or p)" : "number");
    if (row->key == KEY_CHUNK && (code = check_chunk(row->name, value, number, err)))
        return code;
    if (xa_fact_check(row->attribute, number))
        return xa_fail(err, -EINVAL, source_name, "%s: %s is out of range", row->name, value);
    if (row->multiple && number % row->multiple)
        return xa_fail(err, -EINVAL, source_name, "%s: %s is no multiple of %u bytes", row->name,
                       value, row->multiple);
    d->value[row->key] = number;
    return 0;
}

static int parse_pair(struct description *d, const char *pair, size_t length,
                      struct xfsa_error *err)
{
    char value[VALUE_MAX];
    const char *equals = memchr(pair, '=', length);
    size_t name_length = equals ? (size_t)(equals - pair) : length;
    int which = XA_LOOKUP(keys, pair, name_length);
    int shown = (int)(name_length < 40 ? name_length : 40);
    if (which < 0)
        return xa_fail(err, -EINVAL, source_name, "unknown key \"%.*s\"", shown, pair);
    const struct key_row *row = &keys[which];
    size_t value_length = equals ? length - name_length - 1 : 0;
    if (value_length == 0 || value_length >= sizeof(value))
        return fail_key(err, row->name, value_length ? "the value is too long" : "has no value");
    if (d->given[row->key])
        return fail_key(err, row->name, "stands twice");
    d->given[row->key] = true;
    memcpy(value, equals + 1, value_length);
    value[value_length] = '\0';
    if (row->key == KEY_SECTOR)
        return parse_sector(d, value, err);
    if (row->key == KEY_LAYOUT)
        return parse_layout(d, value, err);
    return parse_number(d, row, value, err);
}

static int parse(struct description *d, const char *text, struct xfsa_error *err)
{
    const char *colon = strchr(text, ':');
    size_t level_length = colon ? (size_t)(colon - text) : strlen(text);
    int code = parse_level(d, text, level_length, err);
    const char *at = colon ? colon + 1 : text + level_length;
    while (!code && *at) {
        size_t length = strcspn(at, ",");
        code = parse_pair(d, at, length, err);
        at += length;
        if (!code && *at == ',' && *++at == '\0')
            return xa_fail(err, -EINVAL, source_name, "ends with a comma");
    }
    return code;
}

static int check_pairs(const struct description *d, struct xfsa_error *err)
{
    const struct level_row *level = &xa_level_table[d->shape.level];
    if (d->given[KEY_DISKS] && d->given[KEY_DATA])
        return fail_key(err, "disks", "contradicts data: give one of them");
    if (d->given[KEY_SIZE] && d->given[KEY_DISK_SIZE])
        return fail_key(err, "size", "contradicts disk-size: give one of them");
    if (d->given[KEY_CHUNK] && !level->chunk)
        return xa_fail(err, -EINVAL, source_name, "chunk: %s has no chunk", level->id);
    if (d->given[KEY_DATA] && !level->chunk)
        return xa_fail(err, -EINVAL, source_name, "data: %s has no stripe", level->id);
    return 0;
}

/* Puts disks where data stood, and refuses shapes that cannot exist. */
static int settle_disks(struct description *d, struct xfsa_error *err)
{
    char why[RAID_WHY_MAX];
    struct raid_shape *shape = &d->shape;
    if (d->given[KEY_LEGS])
        shape->legs = d->value[KEY_LEGS];
    if (d->given[KEY_DATA]) {
        d->value[KEY_DISKS] = xa_raid_disks_for(shape, d->value[KEY_DATA]);
    } else if (!d->given[KEY_DISKS]) {
        return 0;
    }
    shape->disks = d->value[KEY_DISKS];
    if (xa_level_table[shape->level].family == FAMILY_MIRROR && shape->disks < 2)
        return fail_key(err, "disks", "a mirror has at least 2");
    if (xa_level_table[shape->level].legs && shape->level != LEVEL_RAID10 && !d->given[KEY_LEGS])
        return 0;
    if (xa_raid_impossible(shape, why))
        return xa_fail(err, -EINVAL, source_name, "%s", why);
    return 0;
}

static int add_number(struct xfsa_facts *facts, unsigned subject, enum attribute_id attribute,
                      uint64_t number)
{
    struct fact fact = {.subject = subject, .attribute = attribute, .kind = SOURCE_KIND_USER,
                        .source = source_name, .number = number};
    return xa_facts_add(facts, &fact);
}

static int add_text(struct xfsa_facts *facts, unsigned subject, enum attribute_id attribute,
                    const char *text)
{
    struct fact fact = {.subject = subject, .attribute = attribute, .kind = SOURCE_KIND_USER,
                        .source = source_name, .text = text};
    return xa_facts_add(facts, &fact);
}

static int add_facts(struct xfsa_facts *facts, const struct description *d)
{
    int subject = xa_facts_subject(facts, NULL);
    if (subject < 0)
        return subject;
    unsigned number = (unsigned)subject;
    facts->subjects[number].wanted = true;
    int code = add_text(facts, number, ATTRIBUTE_LEVEL, xa_level_table[d->shape.level].id);
    if (!code && d->layout)
        code = add_text(facts, number, ATTRIBUTE_LAYOUT, d->layout);
    for (size_t at = 0; !code && at < sizeof(keys) / sizeof(keys[0]); at++) {
        const struct key_row *row = &keys[at];
        if (!d->given[row->key] || row->key == KEY_LAYOUT || (at && keys[at - 1].key == row->key))
            continue;
        code = add_number(facts, number, row->attribute, d->value[row->key]);
    }
    if (!code && d->given[KEY_SECTOR])
        code = add_number(facts, number, ATTRIBUTE_PHYSICAL_SECTOR, d->physical_sector);
    return code;
}

int xa_source_description(struct xfsa_facts *facts, const char *text, struct xfsa_error *err)
{
    struct description d = {0};
    if (!*text)
        return xa_fail(err, -EINVAL, source_name, "the description is empty");
    if (strnlen(text, DESCRIPTION_MAX + 1) > DESCRIPTION_MAX)
        return xa_fail(err, -EINVAL, source_name, "the description is longer than %d bytes",
                       DESCRIPTION_MAX);
    int code = parse(&d, text, err);
    if (!code)
        code = check_pairs(&d, err);
    if (!code)
        code = settle_disks(&d, err);
    if (code)
        return code;
    size_t count = facts->count, subjects = facts->subject_count;
    if (add_facts(facts, &d)) {
        facts->count = count;
        facts->subject_count = subjects;
        return xa_fail_memory(err, source_name);
    }
    return 0;
}
