// SPDX-License-Identifier: LGPL-2.1-or-later
// Knows where in names and answers the names of people's things stand: paths, udev properties,
// attributes, mounts. What they are replaced by is decided in disguise.c.
#include "host/anonymise-text.h"

#include <fnmatch.h>
#include <string.h>

#include "base/lookup.h"

typedef void disguiser(struct disguise *disguise, const char *text, size_t length,
                       struct buf *out);

static void keep(struct disguise *disguise, const char *text, size_t length, struct buf *out)
{
    (void)disguise;
    xa_buf_add(out, text, length);
}

static bool is_in(const char *const *list, size_t count, const char *text, size_t length)
{
    return xa_lookup(list, count, sizeof(*list), text, length) >= 0;
}

#define IS_IN(list, text, length) is_in(list, sizeof(list) / sizeof((list)[0]), text, length)

static bool starts_with(const char *text, size_t length, const char *start)
{
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

/* ---- Paths ---------------------------------------------------------------------------- */

/* Has each component of a path replaced unless it is in the list. */
static void components(struct disguise *disguise, const char *path, size_t length,
                       const char *const *known, size_t count, struct buf *out)
{
    const char *end = path + length;
    while (path < end) {
        const char *slash = memchr(path, '/', (size_t)(end - path));
        size_t part = slash ? (size_t)(slash - path) : (size_t)(end - path);
        if (is_in(known, count, path, part))
            xa_buf_add(out, path, part);
        else
            xa_disguise_name(disguise, path, part, out);
        if (slash)
            xa_buf_add(out, "/", 1);
        path += part + (slash != NULL);
    }
}

/* What stands below /dev/. Names that the kernel gives and places in the machine stay. */
static void below_dev(struct disguise *disguise, const char *path, size_t length,
                      struct buf *out)
{
    static const char *const kept[] = {"disk/by-path", "disk/by-diskseq", "block", "char",
                                       "cciss", "ida", "rd", "etherd", "loop", "bus"};
    static const char *const folders[] = {
        "disk", "by-id", "by-uuid", "by-label", "by-partuuid", "by-partlabel", "by-designator",
        "by-loop-ref", "by-loop-inode", "by-dname", "md", "mapper", "control", "bcache", "zvol"};
    bool plain = !memchr(path, '/', length);
    for (unsigned at = 0; !plain && at < sizeof(kept) / sizeof(kept[0]); at++) {
        size_t folder = strlen(kept[at]);
        plain = starts_with(path, length, kept[at]) && length > folder && path[folder] == '/';
    }
    if (plain)
        xa_buf_add(out, path, length);
    else
        components(disguise, path, length, folders, sizeof(folders) / sizeof(folders[0]), out);
}

/* A path where devices, mount points and files may stand. */
static void any_path(struct disguise *disguise, const char *path, size_t length,
                     struct buf *out)
{
    static const char *const trees[] = {"/proc/", "/sys/"};
    static const char *const known[] = {
        "", "bin", "boot", "containers", "data", "dev", "docker", "efi", "etc", "export", "home",
        "lib", "lib64", "lock", "log", "media", "mnt", "modules", "nix", "opt", "overlay",
        "proc", "root", "run", "sbin", "scratch", "shm", "snap", "srv", "store", "swap",
        "swap.img", "swapfile", "sys", "sysroot", "tmp", "user", "usr", "var", "cache", "local",
        "share", "volumes", "backup", "spool", "udev", "credentials", "initramfs", "crash"};
    if (starts_with(path, length, "/dev/")) {
        xa_buf_add(out, path, 5);
        below_dev(disguise, path + 5, length - 5, out);
    } else if (starts_with(path, length, trees[0]) || starts_with(path, length, trees[1])) {
        xa_disguise_text(disguise, path, length, out);
    } else {
        components(disguise, path, length, known, sizeof(known) / sizeof(known[0]), out);
    }
}

/* A device as a person names it. */
static void device_name(struct disguise *disguise, const char *name, size_t length,
                        struct buf *out)
{
    if (memchr(name, '/', length))
        any_path(disguise, name, length, out);
    else
        xa_buf_add(out, name, length);
}

/* A path without leading slash, as questions have it. */
static void question_path(struct disguise *disguise, const char *path, size_t length,
                          struct buf *out)
{
    if (starts_with(path, length, "dev/")) {
        xa_buf_add(out, path, 4);
        below_dev(disguise, path + 4, length - 4, out);
    } else {
        xa_disguise_text(disguise, path, length, out);
    }
}

/* ---- Texts of several parts ----------------------------------------------------------- */

/* Has each part between separators replaced. */
static void each(struct disguise *disguise, const char *text, size_t length, char separator,
                 disguiser *how, struct buf *out)
{
    const char *end = text + length;
    for (;;) {
        const char *stop = memchr(text, separator, (size_t)(end - text));
        size_t part = stop ? (size_t)(stop - text) : (size_t)(end - text);
        how(disguise, text, part, out);
        if (!stop)
            break;
        xa_buf_add(out, &separator, 1);
        text = stop + 1;
    }
}

static void links(struct disguise *disguise, const char *text, size_t length, struct buf *out)
{
    each(disguise, text, length, ' ', device_name, out);
}

static void names(struct disguise *disguise, const char *text, size_t length, struct buf *out)
{
    static const char *const known[] = {"", "control"};
    if (IS_IN(known, text, length))
        xa_buf_add(out, text, length);
    else
        xa_disguise_name(disguise, text, length, out);
}

static void name_lines(struct disguise *disguise, const char *text, size_t length,
                       struct buf *out)
{
    each(disguise, text, length, '\n', names, out);
}

struct rule {
    const char *pattern;
    disguiser *how;
};

static disguiser *find_rule(const struct rule *rules, size_t count, const char *name)
{
    for (size_t at = 0; at < count; at++) {
        if (fnmatch(rules[at].pattern, name, 0) == 0)
            return rules[at].how;
    }
    return xa_disguise_text;
}

/* Properties of udev, uevent files and signatures; the first that fits. */
static const struct rule property_rules[] = {
    {"DEVLINKS", links},          {"SYSTEMD_ALIAS", links},     {"DEVNAME", keep},
    {"DEVPATH", keep},            {"ID_PATH*", keep},           {"ID_MODEL*", keep},
    {"ID_VENDOR*", keep},         {"ID_PART_ENTRY_TYPE", keep}, {"*SERIAL*", names},
    {"*WWN*", names},             {"*UUID*", names},            {"*LABEL*", names},
    {"MD_NAME", names},           {"MD_DEVNAME", names},        {"DM_NAME", names},
    {"*VG_NAME*", names},         {"*LV_NAME", names},          {"*ENTRY_NAME", names},
    {"PARTNAME", names},          {"SCSI_IDENT_*", names},      {"ID_FS_*_ID", names},
    {"UDISKS_MD_*NAME", names},
};

static void property(struct disguise *disguise, const char *line, size_t length,
                     struct buf *out)
{
    char key[64];
    const char *value = memchr(line, '=', length);
    size_t key_length = value ? (size_t)(value - line) : length;
    if (!value || key_length >= sizeof(key)) {
        xa_disguise_text(disguise, line, length, out);
        return;
    }
    memcpy(key, line, key_length);
    key[key_length] = '\0';
    disguiser *how = find_rule(property_rules, sizeof(property_rules) / sizeof(struct rule), key);
    xa_buf_add(out, line, key_length + 1);
    how(disguise, value + 1, length - key_length - 1, out);
}

static void properties(struct disguise *disguise, const char *text, size_t length,
                       struct buf *out)
{
    each(disguise, text, length, '\n', property, out);
}

/* ---- Mounts and swaps ----------------------------------------------------------------- */

enum { MOUNT_FIELDS = 64 };

struct fields {
    const char *text[MOUNT_FIELDS];
    size_t length[MOUNT_FIELDS];
    size_t count;
};

static void split(const char *line, size_t length, struct fields *fields)
{
    const char *end = line + length;
    fields->count = 0;
    while (fields->count < MOUNT_FIELDS) {
        const char *stop = memchr(line, ' ', (size_t)(end - line));
        size_t part = stop ? (size_t)(stop - line) : (size_t)(end - line);
        fields->text[fields->count] = line;
        fields->length[fields->count++] = part;
        if (!stop)
            break;
        line = stop + 1;
    }
}

/* Where it is mounted from: a device, a file, another machine, a pool, or just a word. */
static void mount_source(struct disguise *disguise, const char *source, size_t length,
                         const char *type, size_t type_length, struct buf *out)
{
    bool pool = type_length == 3 && memcmp(type, "zfs", 3) == 0;
    if (starts_with(source, length, "/"))
        any_path(disguise, source, length, out);
    else if (pool || memchr(source, ':', length) || memchr(source, '/', length) ||
             memchr(source, '@', length))
        components(disguise, source, length, NULL, 0, out);
    else
        xa_buf_add(out, source, length);
}

/* An option of a mount; those of other file systems than XFS lose their values. */
static void xfs_option(struct disguise *disguise, const char *option, size_t length,
                       struct buf *out)
{
    const char *value = memchr(option, '=', length);
    size_t key = value ? (size_t)(value - option) + 1 : length;
    xa_buf_add(out, option, key);
    if (value)
        device_name(disguise, value + 1, length - key, out);
}

static void other_option(struct disguise *disguise, const char *option, size_t length,
                         struct buf *out)
{
    const char *value = memchr(option, '=', length);
    (void)disguise;
    xa_buf_add(out, option, value ? (size_t)(value - option) : length);
}

/* The fields behind the "-" at dash: type, source, options. */
static void mount_end(struct disguise *disguise, const struct fields *f, size_t dash,
                      struct buf *out)
{
    const char *type = f->text[dash + 1];
    size_t type_length = f->length[dash + 1];
    bool xfs = type_length == 3 && memcmp(type, "xfs", 3) == 0;
    xa_buf_puts(out, " - ");
    xa_buf_add(out, type, type_length);
    xa_buf_puts(out, " ");
    mount_source(disguise, f->text[dash + 2], f->length[dash + 2], type, type_length, out);
    xa_buf_puts(out, " ");
    each(disguise, f->text[dash + 3], f->length[dash + 3], ',', xfs ? xfs_option : other_option,
         out);
}

/* A line of mountinfo; one that does not look like it is left out. */
static void mount(struct disguise *disguise, const char *line, size_t length, struct buf *out)
{
    enum { ROOT = 3, MOUNT_POINT = 4, FIRST_OPTIONAL = 6 };
    struct fields f;
    split(line, length, &f);
    size_t dash = FIRST_OPTIONAL;
    while (dash < f.count && !(f.length[dash] == 1 && f.text[dash][0] == '-'))
        dash++;
    if (dash + 4 != f.count)
        return;
    for (size_t at = 0; at < dash; at++) {
        if (at)
            xa_buf_puts(out, " ");
        if (at == ROOT || at == MOUNT_POINT)
            any_path(disguise, f.text[at], f.length[at], out);
        else
            xa_buf_add(out, f.text[at], f.length[at]);
    }
    mount_end(disguise, &f, dash, out);
}

static void mounts(struct disguise *disguise, const char *text, size_t length, struct buf *out)
{
    each(disguise, text, length, '\n', mount, out);
}

static void swap(struct disguise *disguise, const char *line, size_t length, struct buf *out)
{
    const char *blank = line;
    while (blank < line + length && *blank != ' ' && *blank != '\t')
        blank++;
    size_t path = (size_t)(blank - line);
    if (starts_with(line, length, "/"))
        any_path(disguise, line, path, out);
    else
        xa_buf_add(out, line, path);
    xa_buf_add(out, blank, length - path);
}

static void swaps(struct disguise *disguise, const char *text, size_t length, struct buf *out)
{
    each(disguise, text, length, '\n', swap, out);
}

/* ---- Questions ------------------------------------------------------------------------ */

/* Files and folders that are asked for; the first that fits. */
static const struct rule read_rules[] = {
    {"proc/*/mountinfo", mounts}, {"proc/swaps", swaps},      {"*/uevent", properties},
    {"*/model", keep},            {"*/vendor", keep},         {"*/rev", keep},
    {"*serial", names},           {"*/wwid", names},          {"*/wwn", names},
    {"*/vpd_*", names},           {"*/dm/name", names},       {"*uuid", names},
    {"*/nguid", names},           {"*/eui", names},           {"*nqn", names},
    {"*/hostid", names},          {"*/hostname", names},      {"*/backing_file", any_path},
    {"*/unique_id", names},
};

static const struct rule list_rules[] = {
    {"dev/disk/by-path*", keep}, {"dev/disk/by-diskseq*", keep}, {"dev/disk/by-*", name_lines},
    {"dev/mapper*", name_lines}, {"dev/md", name_lines},
};

#define RULES(table) table, sizeof(table) / sizeof((table)[0])

/* How the names and the answers of each kind of question are gone over. */
static const struct {
    disguiser *name;
    disguiser *answer; /* NULL: by the rules */
    const struct rule *rules;
    size_t rule_count;
} sections[QUESTION_RECORDED] = {
    [QUESTION_READ] = {question_path, NULL, RULES(read_rules)},
    [QUESTION_LINK] = {question_path, xa_disguise_text, NULL, 0},
    [QUESTION_LIST] = {question_path, NULL, RULES(list_rules)},
    [QUESTION_DEVICE] = {device_name, keep, NULL, 0},
    [QUESTION_UDEV] = {keep, properties, NULL, 0},
    [QUESTION_SIGNATURE] = {keep, properties, NULL, 0},
};

void xa_hide_device(struct disguise *disguise, const char *name, struct buf *out)
{
    device_name(disguise, name, strlen(name), out);
}

void xa_hide_question(struct disguise *disguise, enum question_kind kind, const char *name,
                      struct buf *out)
{
    sections[kind].name(disguise, name, strlen(name), out);
}

void xa_hide_answer(struct disguise *disguise, enum question_kind kind, const char *name,
                    const struct buf *text, struct buf *out)
{
    disguiser *how = sections[kind].answer;
    if (!how)
        how = find_rule(sections[kind].rules, sections[kind].rule_count, name);
    if (text->length)
        how(disguise, text->text, text->length, out);
}
