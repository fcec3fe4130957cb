// SPDX-License-Identifier: LGPL-2.1-or-later
// Replaces secrets by others of the same shape. Replacements are numbered in the order in which
// the originals come, so nothing of an original is left in one.
#include "host/disguise.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum {
    NAME_MOST = 4096,
    HEX_LEAST = 8,     /* digits from which a name of hexadecimal digits is a number */
    HEX_ALONE = 16,    /* digits from which spellings with and without "-" are the same */
    TEXT_LEAST = 8,    /* bytes from which a secret is looked for in texts */
    LVM_UUIDS = 64,    /* VG and LV in a device-mapper UUID */
};

/* A secret that is looked for in texts. */
struct disguise_word {
    struct disguise_word *next;
    const char *original, *replacement;
    size_t length;
};

/* Words in front that say what kind of name it is. */
static const char *const kinds[] = {
    "0x", "naa.", "eui.", "uuid.", "nvme.", "t10.", "nqn.", "iqn.",
    "LVM-", "CRYPT-", "LUKS1-", "LUKS2-", "PLAIN-", "VERITY-", "TCRYPT-", "BITLK-", "mpath-",
    "DMRAID-", "ata-", "wwn-", "scsi-", "nvme-", "usb-", "virtio-", "mmc-", "md-name-",
    "md-uuid-", "dm-name-", "dm-uuid-", "lvm-pv-uuid-",
};

int xa_disguise_init(struct disguise *disguise)
{
    *disguise = (struct disguise){.numbers = json_object(), .words = json_object()};
    if (disguise->numbers && disguise->words)
        return 0;
    xa_disguise_free(disguise);
    return -ENOMEM;
}

void xa_disguise_free(struct disguise *disguise)
{
    json_decref(disguise->numbers);
    json_decref(disguise->words);
    xa_arena_free(&disguise->arena);
    *disguise = (struct disguise){0};
}

static bool is_hex(const char *text, size_t length, size_t least)
{
    size_t digits = 0;
    for (size_t at = 0; at < length; at++) {
        if (isxdigit((unsigned char)text[at]))
            digits++;
        else if (text[at] != '-' && text[at] != ':')
            return false;
    }
    return digits >= least;
}

/* The bytes of an encoded byte, "\x20" (udev) or "\040" (the kernel); 1 for any other. */
static size_t escape_length(const char *text, size_t length)
{
    if (length < 4 || text[0] != '\\')
        return 1;
    bool hex = text[1] == 'x' && isxdigit((unsigned char)text[2]);
    bool octal = isdigit((unsigned char)text[1]) && isdigit((unsigned char)text[2]);
    return (hex || octal) && isxdigit((unsigned char)text[3]) ? 4 : 1;
}

/* The shape of a name: its punctuation, with 0, x or X for each of its other characters. */
static void add_shape(const char *name, size_t length, struct buf *out)
{
    bool hex = is_hex(name, length, HEX_LEAST);
    for (size_t at = 0; at < length;) {
        size_t taken = escape_length(name + at, length - at);
        unsigned char byte = (unsigned char)name[at];
        char shape = 'x';
        if (taken == 1 && (isdigit(byte) || (hex && isxdigit(byte))))
            shape = '0';
        else if (taken == 1 && isupper(byte))
            shape = 'X';
        else if (taken == 1 && ispunct(byte) && byte != '\\')
            shape = (char)byte;
        xa_buf_add(out, &shape, 1);
        at += taken;
    }
}

/* Writes the number over the last characters of the shape that are no punctuation. */
static void add_replacement(const char *name, size_t length, uint64_t number, struct buf *out)
{
    struct buf shape = {0};
    add_shape(name, length, &shape);
    for (size_t at = shape.length; shape.text && at > 0 && number; at--) {
        if (ispunct((unsigned char)shape.text[at - 1]))
            continue;
        shape.text[at - 1] = (char)('0' + number % 10);
        number /= 10;
    }
    if (number)
        xa_buf_printf(out, "%u", (unsigned)number);
    if (shape.text)
        xa_buf_add(out, shape.text, shape.length);
    out->failed |= shape.failed;
    xa_buf_free(&shape);
}

/* The number of an original; spellings of one hexadecimal number share it. */
static uint64_t number_of(struct disguise *disguise, const char *name, size_t length)
{
    char plain[NAME_MOST];
    bool hex = is_hex(name, length, HEX_ALONE);
    size_t used = 0;
    for (size_t at = 0; at < length; at++) {
        if (!hex)
            plain[used++] = name[at];
        else if (isxdigit((unsigned char)name[at]))
            plain[used++] = (char)tolower((unsigned char)name[at]);
    }
    plain[used] = '\0';
    const json_t *known = json_object_get(disguise->numbers, plain);
    if (known)
        return (uint64_t)json_integer_value(known);
    size_t number = json_object_size(disguise->numbers) + 1;
    json_t *value = json_integer((json_int_t)number);
    if (!value || json_object_set_new_nocheck(disguise->numbers, plain, value))
        disguise->failed = true;
    return number;
}

static unsigned bucket_of(const char *text)
{
    uint32_t start;
    memcpy(&start, text, sizeof(start));
    return (start * 2654435761u) >> 22;
}

/* True for what is not found in a text by accident: long, of letters and digits. */
static bool is_unmistakable(const char *name, size_t length)
{
    bool letter = false, digit = false;
    for (size_t at = 0; at < length; at++) {
        letter |= isalpha((unsigned char)name[at]) != 0;
        digit |= isdigit((unsigned char)name[at]) != 0;
    }
    return length >= TEXT_LEAST && letter && digit;
}

static void look_for(struct disguise *disguise, const char *original, const char *replacement)
{
    struct disguise_word *word = xa_arena_alloc(&disguise->arena, sizeof(*word));
    char *first = xa_arena_strdup(&disguise->arena, original);
    char *second = xa_arena_strdup(&disguise->arena, replacement);
    if (!word || !first || !second) {
        disguise->failed = true;
        return;
    }
    struct disguise_word **bucket = &disguise->buckets[bucket_of(first)];
    *word = (struct disguise_word){*bucket, first, second, strlen(first)};
    *bucket = word;
}

/* Appends the replacement of what has no words of kind around it. */
static void add_core(struct disguise *disguise, const char *name, size_t length,
                     struct buf *out)
{
    char original[NAME_MOST];
    struct buf made = {0};
    if (!length)
        return;
    memcpy(original, name, length);
    original[length] = '\0';
    const char *known = json_string_value(json_object_get(disguise->words, original));
    if (known) {
        xa_buf_puts(out, known);
        return;
    }
    add_replacement(name, length, number_of(disguise, name, length), &made);
    json_t *value = made.failed ? NULL : json_string_nocheck(made.text);
    if (!value || json_object_set_new_nocheck(disguise->words, original, value))
        disguise->failed = true;
    else if (is_unmistakable(original, length))
        look_for(disguise, original, made.text);
    if (made.text)
        xa_buf_add(out, made.text, made.length);
    xa_buf_free(&made);
}

/* The bytes of a word of kind in front, or 0. */
static size_t kind_length(const char *name, size_t length)
{
    for (unsigned at = 0; at < sizeof(kinds) / sizeof(kinds[0]); at++) {
        size_t kind = strlen(kinds[at]);
        if (kind < length && strncmp(name, kinds[at], kind) == 0)
            return kind;
    }
    if (length > 5 && strncmp(name, "part", 4) == 0) {
        size_t digits = strspn(name + 4, "0123456789");
        if (digits && 4 + digits + 1 < length && name[4 + digits] == '-')
            return 4 + digits + 1;
    }
    /* A SCSI serial is a WWN behind a digit that says of which sort. */
    bool sort = (length == 17 || length == 33) && name[0] >= '1' && name[0] <= '8';
    return sort && is_hex(name, length, length) ? 1 : 0;
}

/* The bytes of the name without its end "-part3". */
static size_t without_part(const char *name, size_t length)
{
    size_t at = length;
    while (at && isdigit((unsigned char)name[at - 1]))
        at--;
    return at < length && at > 5 && memcmp(name + at - 5, "-part", 5) == 0 ? at - 5 : length;
}

void xa_disguise_name(struct disguise *disguise, const char *name, size_t length,
                      struct buf *out)
{
    if (length >= NAME_MOST)
        length = NAME_MOST - 1;
    size_t kept = without_part(name, length);
    const char *end = name + length;
    bool lvm = false;
    for (size_t kind; (kind = kind_length(name, kept)) > 0;) {
        lvm |= strncmp(name, "LVM-", kind) == 0;
        xa_buf_add(out, name, kind);
        name += kind;
        kept -= kind;
    }
    if (lvm && kept > LVM_UUIDS && name[LVM_UUIDS] == '-')
        kept = LVM_UUIDS;
    add_core(disguise, name, kept, out);
    xa_buf_add(out, name + kept, (size_t)(end - name) - kept);
}

/* The longest secret that stands at a place of the text, bounded on both sides, or NULL. */
static const struct disguise_word *find_word(const struct disguise *disguise, const char *text,
                                             size_t at, size_t length)
{
    const struct disguise_word *best = NULL;
    if (length - at < TEXT_LEAST)
        return NULL;
    const struct disguise_word *word = disguise->buckets[bucket_of(text + at)];
    for (; word; word = word->next) {
        size_t end = at + word->length;
        if (end > length || memcmp(text + at, word->original, word->length) != 0 ||
            (best && best->length >= word->length))
            continue;
        bool number = is_hex(word->original, word->length, HEX_ALONE);
        bool bounded = (at == 0 || !isalnum((unsigned char)text[at - 1])) &&
                       (end == length || !isalnum((unsigned char)text[end]));
        if (number || bounded)
            best = word;
    }
    return best;
}

void xa_disguise_text(struct disguise *disguise, const char *text, size_t length,
                      struct buf *out)
{
    size_t plain = 0;
    for (size_t at = 0; at < length;) {
        const struct disguise_word *word = find_word(disguise, text, at, length);
        if (!word) {
            at++;
            continue;
        }
        xa_buf_add(out, text + plain, at - plain);
        xa_buf_puts(out, word->replacement);
        at += word->length;
        plain = at;
    }
    xa_buf_add(out, text + plain, length - plain);
}
