// SPDX-License-Identifier: LGPL-2.1-or-later
// A source: what the kernel says of a block device in sysfs, of md arrays and partitions below
// it, and which mounts, swaps, udev links and signatures it has. Decides nothing.
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/host.h"
#include "source/facts.h"

enum { PATH_ROOM = 512, MOST_LAYERS = 64, SECTOR_BYTES = 512 };

struct reader {
    struct xfsa_facts *facts;
    struct host *host;
    struct xfsa_error *err;
    struct buf text; /* of the last attribute */
};

/* An attribute file below a device's folder. */
struct file_row {
    const char *file;
    enum attribute_id attribute;
    uint64_t unit; /* bytes or counts of one */
};

static const struct file_row queue_files[] = {
    {"queue/minimum_io_size", ATTRIBUTE_IO_MIN, 1},
    {"queue/optimal_io_size", ATTRIBUTE_IO_OPT, 1},
    {"queue/logical_block_size", ATTRIBUTE_LOGICAL_SECTOR, 1},
    {"queue/physical_block_size", ATTRIBUTE_PHYSICAL_SECTOR, 1},
    {"queue/rotational", ATTRIBUTE_ROTATIONAL, 1},
    {"queue/discard_max_bytes", ATTRIBUTE_DISCARD_MAX, 1},
    {"queue/max_sectors_kb", ATTRIBUTE_MAX_SECTORS_KIB, 1},
    {"queue/max_hw_sectors_kb", ATTRIBUTE_MAX_HW_SECTORS_KIB, 1},
    {"queue/read_ahead_kb", ATTRIBUTE_READ_AHEAD_KIB, 1},
};

/* Of a member, and of one whose requests are smaller than what the array sends it. */
static const struct file_row member_file = {"queue/max_sectors_kb", ATTRIBUTE_MAX_SECTORS_KIB, 1};
static const struct file_row small_member_file = {"queue/max_hw_sectors_kb",
                                                  ATTRIBUTE_MAX_HW_SECTORS_KIB, 1};

/* A reshape shows "NEW (OLD)" in the files that it changes. */
static const struct file_row md_files[] = {
    {"md/raid_disks", ATTRIBUTE_DISKS, 1},
    {"md/chunk_size", ATTRIBUTE_CHUNK, 1},
    {"md/degraded", ATTRIBUTE_DEGRADED, 1},
    {"md/component_size", ATTRIBUTE_MEMBER_SIZE, 1024},
    {"md/stripe_cache_size", ATTRIBUTE_STRIPE_CACHE_PAGES, 1},
};

static const struct {
    const char *file;
    enum attribute_id attribute;
} md_texts[] = {
    {"md/metadata_version", ATTRIBUTE_METADATA},
    {"md/array_state", ATTRIBUTE_ARRAY_STATE},
    {"md/sync_action", ATTRIBUTE_SYNC_ACTION},
};

static int add_number(struct reader *r, unsigned subject, enum attribute_id attribute,
                      uint64_t number)
{
    bool hint = attribute == ATTRIBUTE_IO_MIN || attribute == ATTRIBUTE_IO_OPT;
    struct fact fact = {.subject = subject, .attribute = attribute,
                        .kind = hint ? SOURCE_KIND_HINT : SOURCE_KIND_KERNEL,
                        .source = "sysfs", .number = number};
    return xa_facts_add(r->facts, &fact) ? xa_fail_memory(r->err, "sysfs") : 0;
}

static int add_text(struct reader *r, unsigned subject, enum attribute_id attribute,
                    const char *source, const char *text)
{
    struct fact fact = {.subject = subject, .attribute = attribute, .kind = SOURCE_KIND_KERNEL,
                        .source = source, .text = text};
    return xa_facts_add(r->facts, &fact) ? xa_fail_memory(r->err, source) : 0;
}

/* A file that this device or kernel does not have. */
static bool is_absent(int code)
{
    return code == -ENOENT || code == -ENODEV || code == -EINVAL || code == -EIO ||
           code == -ENODATA || code == -ENOTDIR || code == -EOPNOTSUPP;
}

/* Reads folder/file into r->text. 1: there it is; 0: absent or empty; else an error. */
static int read_file(struct reader *r, const char *folder, const char *file)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    int code = xa_host_read(r->host, path, &r->text);
    if (is_absent(code) || (!code && (!r->text.text || !*r->text.text)))
        return 0;
    if (code)
        return xa_fail(r->err, code, path, "%s", strerror(-code));
    if (!xa_utf8_valid(r->text.text))
        return xa_fail(r->err, -EBADMSG, path, "is no text");
    return 1;
}

/* Reads a number, perhaps followed by an old one in parentheses; returns as read_file. */
static int read_number(struct reader *r, const char *folder, const char *file, uint64_t *number,
                       bool *changing)
{
    int code = read_file(r, folder, file);
    if (code != 1)
        return code;
    size_t digits = strspn(r->text.text, "0123456789");
    const char *rest = r->text.text + digits;
    bool old = rest[0] == ' ' && rest[1] == '(';
    if (xa_number_parse(r->text.text, digits, number) || (*rest && !old))
        return xa_fail(r->err, -EBADMSG, folder, "%s: \"%.60s\" is not a number", file,
                       r->text.text);
    if (changing)
        *changing |= old;
    return 1;
}

static int add_files(struct reader *r, unsigned subject, const char *folder,
                     const struct file_row *rows, size_t count, bool *changing)
{
    for (size_t at = 0; at < count; at++) {
        uint64_t number = 0;
        int code = read_number(r, folder, rows[at].file, &number, changing);
        if (code < 0)
            return code;
        /* md shows 0 where it has no chunk, component or member of its own. */
        bool zero_is_none = rows[at].attribute == ATTRIBUTE_CHUNK ||
                            rows[at].attribute == ATTRIBUTE_MEMBER_SIZE ||
                            rows[at].attribute == ATTRIBUTE_DISKS;
        if (code == 0 || (zero_is_none && !number))
            continue;
        code = number > INT64_MAX / rows[at].unit
                   ? xa_fail(r->err, -ERANGE, folder, "%s is absurd", rows[at].file)
                   : add_number(r, subject, rows[at].attribute, number * rows[at].unit);
        if (code)
            return code;
    }
    return 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The part of a sysfs path before its last one: "block" for a disk, the disk for a partition. */
static void parent_part(const char *path, char out[PATH_ROOM])
{
    const char *end = last_part(path);
    size_t length = end > path ? (size_t)(end - path - 1) : 0;
    snprintf(out, PATH_ROOM, "%.*s", (int)(length < PATH_ROOM ? length : PATH_ROOM - 1), path);
    const char *name = last_part(out);
    memmove(out, name, strlen(name) + 1);
}

/* 1 when what stands at path is a partition of parent. Neighbours have only ".." between them, as
   md on md has; NVMe disks stand below their controller. */
static int below_disk(struct reader *r, const char *path, const char *parent)
{
    if (strcmp(parent, "block") == 0 || strcmp(parent, "..") == 0)
        return 0;
    return read_file(r, path, "partition");
}

static bool text_matches(const char *pattern, const char *text)
{
    return !*pattern || (*text && fnmatch(pattern, text, 0) == 0);
}

static uint64_t device_kind(const char *name, const char *path, const char *vendor,
                            const char *model)
{
    uint64_t row = 0;
    for (; row < DEVICE_ROWS - 1; row++) {
        const struct device_row *d = &xa_device_table[row];
        if (strncmp(name, d->name, strlen(d->name)) == 0 && strstr(path, d->path) &&
            text_matches(d->vendor, vendor) && text_matches(d->model, model))
            break;
    }
    return row;
}

/* SCSI pads its texts with blanks. */
static int read_trimmed(struct reader *r, const char *folder, const char *file, char out[64])
{
    int code = read_file(r, folder, file);
    out[0] = '\0';
    if (code != 1)
        return code;
    snprintf(out, 64, "%s", r->text.text);
    for (size_t length = strlen(out); length && out[length - 1] == ' '; length--)
        out[length - 1] = '\0';
    return 0;
}

static int add_kind(struct reader *r, unsigned subject, const char *folder, const char *name,
                    const char *path, bool disk)
{
    char vendor[64] = "", model[64] = "";
    bool scsi = disk && strncmp(name, "sd", 2) == 0;
    int code = scsi ? read_trimmed(r, folder, "device/vendor", vendor) : 0;
    if (!code && scsi)
        code = read_trimmed(r, folder, "device/model", model);
    if (code < 0)
        return code;
    return add_number(r, subject, ATTRIBUTE_KIND, device_kind(name, path, vendor, model));
}

/* For each line of a listing, in turn; the listing is cut up. */
static char *next_line(char **rest)
{
    char *line = *rest && **rest ? strsep(rest, "\n") : NULL;
    return line;
}

static int add_udev(struct reader *r, unsigned subject, const char *devno);

/* A member's hardware limit and serial, which only a rule about its queue needs: read where its
   requests are smaller than what the array sends it. */
static int add_small_member(struct reader *r, unsigned array, unsigned member, const char *path)
{
    uint64_t chunk = 0, kib = UINT64_MAX;
    for (size_t at = 0; at < r->facts->count; at++) {
        const struct fact *fact = &r->facts->items[at];
        if (fact->subject == array && fact->attribute == ATTRIBUTE_CHUNK)
            chunk = fact->number;
        if (fact->subject == member && fact->attribute == ATTRIBUTE_MAX_SECTORS_KIB)
            kib = fact->number;
    }
    if (kib >= chunk / 1024)
        return 0;
    int code = add_files(r, member, path, &small_member_file, 1, NULL);
    char devno[32];
    if (!code)
        code = read_file(r, path, "dev");
    if (code != 1)
        return code;
    snprintf(devno, sizeof(devno), "%s", r->text.text);
    return add_udev(r, member, devno);
}

/* Where a member's queue is: with itself, or with the disk that it is a partition of. */
static int add_member_disk(struct reader *r, unsigned member, char path[PATH_ROOM],
                           const char *disk)
{
    int code = add_text(r, member, ATTRIBUTE_LOWER, "sysfs", disk);
    strncat(path, "/..", PATH_ROOM - strlen(path) - 1);
    return code;
}

/* One member of an array: what it is, and the limits of its queue. */
static int add_member(struct reader *r, unsigned array, const char *folder, const char *name)
{
    char path[PATH_ROOM], disk[PATH_ROOM], place[PATH_ROOM];
    snprintf(path, sizeof(path), "%s/slaves/%s", folder, name);
    int code = xa_host_link(r->host, path, &r->text);
    if (code)
        return xa_fail(r->err, code, path, "%s", strerror(-code));
    snprintf(place, sizeof(place), "%s", r->text.text);
    parent_part(place, disk);
    int partition = below_disk(r, path, disk);
    int subject = xa_facts_subject(r->facts, name);
    if (partition < 0 || subject < 0)
        return partition < 0 ? partition : xa_fail_memory(r->err, path);
    unsigned member = (unsigned)subject;
    code = add_text(r, array, ATTRIBUTE_LOWER, "sysfs", name);
    if (!code)
        code = add_number(r, member, ATTRIBUTE_KIND,
                          device_kind(partition ? disk : name, place, "", ""));
    if (!code && partition)
        code = add_member_disk(r, member, path, disk);
    if (!code)
        code = add_files(r, member, path, &member_file, 1, NULL);
    return code ? code : add_small_member(r, array, member, path);
}

static int add_names(struct reader *r, unsigned subject, const char *folder, const char *list,
                     int (*add)(struct reader *, unsigned, const char *, const char *))
{
    char path[PATH_ROOM];
    struct buf names = {0};
    snprintf(path, sizeof(path), "%s/%s", folder, list);
    int code = xa_host_list(r->host, path, &names);
    if (code && !is_absent(code))
        code = xa_fail(r->err, code, path, "%s", strerror(-code));
    else
        code = 0;
    char *rest = names.text;
    for (char *name = next_line(&rest); !code && name; name = next_line(&rest))
        code = add(r, subject, folder, name);
    xa_buf_free(&names);
    return code;
}

static int add_holder(struct reader *r, unsigned subject, const char *folder, const char *name)
{
    (void)folder;
    return add_text(r, subject, ATTRIBUTE_HOLDER, "sysfs", name);
}

static const char *parity_layout_name(uint64_t layout)
{
    static const char *const names[] = {"left-asymmetric", "right-asymmetric", "left-symmetric",
                                        "right-symmetric", "parity-first", "parity-last"};
    return layout < sizeof(names) / sizeof(names[0]) ? names[layout] : NULL;
}

/* md's layout: for RAID 10 near in the low byte, far in the next, then the offset flag. */
static int add_layout(struct reader *r, unsigned subject, const char *folder, const char *level,
                      bool *changing)
{
    uint64_t layout = 0;
    char text[32];
    bool raid10 = strcmp(level, "raid10") == 0, parity = strpbrk(level, "456") != NULL;
    if (!raid10 && !parity)
        return 0;
    int code = read_number(r, folder, "md/layout", &layout, changing);
    if (code != 1)
        return code;
    unsigned near = layout & 0xff, far = (layout >> 8) & 0xff;
    if (raid10)
        snprintf(text, sizeof(text), "%c%u", near > 1 ? 'n' : layout & 0x10000 ? 'o' : 'f',
                 near > 1 ? near : far);
    else if (layout >= 16)
        return add_number(r, subject, ATTRIBUTE_INTERIM_LAYOUT, 1);
    else
        snprintf(text, sizeof(text), "%s", parity_layout_name(layout) ? parity_layout_name(layout)
                                                                      : "rotating");
    return add_text(r, subject, ATTRIBUTE_LAYOUT, "sysfs", text);
}

static int add_md_texts(struct reader *r, unsigned subject, const char *folder)
{
    for (size_t at = 0; at < sizeof(md_texts) / sizeof(md_texts[0]); at++) {
        int code = read_file(r, folder, md_texts[at].file);
        if (code == 1)
            code = add_text(r, subject, md_texts[at].attribute, "sysfs", r->text.text);
        if (code < 0)
            return code;
    }
    return 0;
}

/* An md array. A container has no level of its own. */
static int add_md(struct reader *r, unsigned subject, const char *folder)
{
    char level[32] = "";
    bool changing = false;
    int code = read_file(r, folder, "md/level");
    if (code < 0)
        return code;
    if (code == 1)
        snprintf(level, sizeof(level), "%s", r->text.text);
    bool external = false;
    code = read_file(r, folder, "md/metadata_version");
    if (code < 0)
        return code;
    if (code == 1)
        external = strncmp(r->text.text, "external:", strlen("external:")) == 0;
    code = 0;
    if (strcmp(level, "container") == 0 || (!*level && external))
        code = add_number(r, subject, ATTRIBUTE_CONTAINER, 1);
    else if (*level)
        code = add_text(r, subject, ATTRIBUTE_LEVEL, "sysfs", level);
    if (!code)
        code = add_layout(r, subject, folder, level, &changing);
    if (!code)
        code = add_files(r, subject, folder, md_files, sizeof(md_files) / sizeof(md_files[0]),
                         &changing);
    if (!code)
        code = add_md_texts(r, subject, folder);
    if (!code && changing)
        code = add_number(r, subject, ATTRIBUTE_RESHAPING, 1);
    return code ? code : add_names(r, subject, folder, "slaves", add_member);
}

static int add_alignment(struct reader *r, unsigned subject, const char *folder)
{
    uint64_t offset = 0;
    int code = read_file(r, folder, "alignment_offset");
    if (code != 1)
        return code;
    if (strcmp(r->text.text, "-1") == 0)
        return add_number(r, subject, ATTRIBUTE_ALIGNMENT_INCONSISTENT, 1);
    if (xa_number_parse(r->text.text, strlen(r->text.text), &offset))
        return xa_fail(r->err, -EBADMSG, folder, "alignment_offset: \"%.60s\" is not a number",
                       r->text.text);
    return add_number(r, subject, ATTRIBUTE_ALIGNMENT_OFFSET, offset);
}

static int add_sectors(struct reader *r, unsigned subject, const char *folder, const char *file,
                       enum attribute_id attribute)
{
    uint64_t sectors = 0;
    int code = read_number(r, folder, file, &sectors, NULL);
    if (code != 1)
        return code;
    if (sectors > INT64_MAX / SECTOR_BYTES)
        return xa_fail(r->err, -ERANGE, folder, "%s is absurd", file);
    return sectors || attribute != ATTRIBUTE_SIZE
               ? add_number(r, subject, attribute, sectors * SECTOR_BYTES) : 0;
}

/* Where a device stands in sysfs, from the link that sys/dev/block has for it. */
struct place {
    char folder[64]; /* sys/dev/block/M:m */
    char path[PATH_ROOM];
    char name[PATH_ROOM];
    char parent[PATH_ROOM]; /* "block", or the disk of a partition */
    bool partition;
};

static int find_place(struct reader *r, const char *devno, struct place *place)
{
    snprintf(place->folder, sizeof(place->folder), "sys/dev/block/%.40s", devno);
    int code = xa_host_link(r->host, place->folder, &r->text);
    if (code)
        return xa_fail(r->err, code, place->folder, "%s", strerror(-code));
    if (strlen(r->text.text) >= PATH_ROOM)
        return xa_fail(r->err, -ENAMETOOLONG, place->folder, "its link is too long");
    snprintf(place->path, sizeof(place->path), "%s", r->text.text);
    snprintf(place->name, sizeof(place->name), "%s", last_part(place->path));
    parent_part(place->path, place->parent);
    code = below_disk(r, place->folder, place->parent);
    place->partition = code == 1;
    return code < 0 ? code : 0;
}

/* A disk, an array, or something stacked. */
static int add_whole(struct reader *r, unsigned subject, const struct place *place)
{
    int code = add_files(r, subject, place->folder, queue_files,
                         sizeof(queue_files) / sizeof(queue_files[0]), NULL);
    if (code)
        return code;
    if (strncmp(place->name, "md", 2) == 0)
        return add_md(r, subject, place->folder);
    return add_names(r, subject, place->folder, "slaves", add_member);
}

static int add_device(struct reader *r, const char *devno, unsigned *subject);

/* A partition, and the disk below it. */
static int add_partition(struct reader *r, unsigned subject, const struct place *place)
{
    char devno[32];
    unsigned below;
    int code = add_sectors(r, subject, place->folder, "start", ATTRIBUTE_START);
    if (!code)
        code = add_text(r, subject, ATTRIBUTE_LOWER, "sysfs", place->parent);
    if (!code)
        code = read_file(r, place->folder, "../dev");
    if (code == 0)
        return xa_fail(r->err, -ENODATA, place->folder, "its disk cannot be found");
    if (code < 0)
        return code;
    snprintf(devno, sizeof(devno), "%s", r->text.text);
    struct place disk;
    code = find_place(r, devno, &disk);
    if (code)
        return code;
    if (disk.partition)
        return xa_fail(r->err, -ELOOP, place->folder, "a partition lies below a partition");
    return add_device(r, devno, &below);
}

/* One device and what lies below it; *subject becomes its number. */
static int add_device(struct reader *r, const char *devno, unsigned *subject)
{
    struct place place;
    int code = find_place(r, devno, &place);
    if (code)
        return code;
    int number = xa_facts_subject(r->facts, place.name);
    if (number < 0)
        return xa_fail_memory(r->err, devno);
    *subject = (unsigned)number;
    if (r->facts->subjects[number].read)
        return 0;
    r->facts->subjects[number].read = true;
    bool partition = place.partition;
    code = add_kind(r, *subject, place.folder, partition ? place.parent : place.name, place.path,
                    !partition);
    if (!code)
        code = add_sectors(r, *subject, place.folder, "size", ATTRIBUTE_SIZE);
    if (!code)
        code = add_alignment(r, *subject, place.folder);
    if (code)
        return code;
    return partition ? add_partition(r, *subject, &place) : add_whole(r, *subject, &place);
}

/* How many partitions it has: folders whose names begin with its own. */
static int count_partitions(struct reader *r, unsigned subject, const char *folder,
                            uint64_t *partitions)
{
    struct buf names = {0};
    const char *self = r->facts->subjects[subject].name;
    int code = xa_host_list(r->host, folder, &names);
    char *rest = names.text;
    for (char *name = next_line(&rest); !code && name; name = next_line(&rest))
        *partitions += strncmp(name, self, strlen(self)) == 0;
    xa_buf_free(&names);
    return code && !is_absent(code) ? xa_fail(r->err, code, folder, "%s", strerror(-code)) : 0;
}

/* Whether the device as such is free: what holds it, its partitions, whether it can be written. */
static int add_use(struct reader *r, unsigned subject, const char *folder)
{
    uint64_t partitions = 0, read_only = 0;
    int code = add_names(r, subject, folder, "holders", add_holder);
    if (!code)
        code = read_number(r, folder, "ro", &read_only, NULL);
    if (code >= 0)
        code = count_partitions(r, subject, folder, &partitions);
    if (!code && partitions)
        code = add_number(r, subject, ATTRIBUTE_PARTITIONS, partitions);
    return code || !read_only ? code : add_number(r, subject, ATTRIBUTE_READ_ONLY, 1);
}

/* The fields of mountinfo are parted by blanks, and blanks in them are octal. */
static void decode_octal(char *text)
{
    char *to = text;
    for (; *text; text++) {
        if (text[0] == '\\' && strspn(text + 1, "01234567") >= 3) {
            *to++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
            text += 3;
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
}

static int add_mounts(struct reader *r, unsigned subject, const char *devno)
{
    struct buf table = {0};
    int code = xa_host_read_large(r->host, "proc/self/mountinfo", &table);
    if (code && !is_absent(code))
        code = xa_fail(r->err, code, "proc/self/mountinfo", "%s", strerror(-code));
    else
        code = 0;
    char *rest = table.text;
    for (char *line = next_line(&rest); !code && line; line = next_line(&rest)) {
        char *field = line, *part = NULL;
        for (unsigned at = 0; at < 3; at++)
            part = strsep(&field, " ");
        if (!part || !field || strcmp(part, devno) != 0)
            continue;
        strsep(&field, " ");
        char *point = strsep(&field, " ");
        if (!point)
            continue;
        decode_octal(point);
        code = add_text(r, subject, ATTRIBUTE_MOUNTED, "mountinfo",
                        xa_utf8_valid(point) ? point : "a name that is not UTF-8");
    }
    xa_buf_free(&table);
    return code;
}

static int add_swaps(struct reader *r, unsigned subject, const char *devno)
{
    struct buf table = {0}, other = {0};
    int code = xa_host_read_large(r->host, "proc/swaps", &table);
    code = code && !is_absent(code)
               ? xa_fail(r->err, code, "proc/swaps", "%s", strerror(-code)) : 0;
    char *rest = table.text;
    for (char *line = next_line(&rest); !code && line; line = next_line(&rest)) {
        char *name = strsep(&line, " \t");
        decode_octal(name);
        if (*name == '/' && xa_host_device(r->host, name, &other) == 0 &&
            strcmp(other.text, devno) == 0)
            code = add_number(r, subject, ATTRIBUTE_SWAP, 1);
    }
    xa_buf_free(&other);
    xa_buf_free(&table);
    return code;
}

struct key_row {
    const char *key;
    enum attribute_id attribute;
};

static const struct key_row udev_keys[] = {
    {"ID_SERIAL", ATTRIBUTE_SERIAL},
    {"MD_UUID", ATTRIBUTE_MD_UUID},
};

static const struct key_row signature_keys[] = {
    {"TYPE", ATTRIBUTE_SIGNATURE},
    {"USAGE", ATTRIBUTE_SIGNATURE_USAGE},
    {"PTTYPE", ATTRIBUTE_PARTITION_TABLE},
};

/* Adds the fact that a KEY=VALUE belongs to, if it is one of the rows. */
static int add_pair(struct reader *r, unsigned subject, const char *source,
                    const struct key_row *rows, size_t count, const char *key, const char *value)
{
    for (size_t at = 0; at < count; at++) {
        if (strcmp(key, rows[at].key) == 0 && xa_utf8_valid(value))
            return add_text(r, subject, rows[at].attribute, source, value);
    }
    return 0;
}

/* The name that stays: md's and the disk's own identity before the path it is plugged into. */
static int add_link(struct reader *r, unsigned subject, char *links)
{
    static const char *const best[] = {"/dev/disk/by-id/md-uuid-", "/dev/disk/by-id/wwn-",
                                       "/dev/disk/by-id/nvme-eui.", "/dev/disk/by-id/"};
    const char *found = NULL;
    size_t rank = sizeof(best) / sizeof(best[0]);
    for (char *link = strsep(&links, " "); link; link = strsep(&links, " ")) {
        for (size_t at = 0; at < rank; at++) {
            if (strncmp(link, best[at], strlen(best[at])) == 0) {
                found = link;
                rank = at;
            }
        }
    }
    return found ? add_text(r, subject, ATTRIBUTE_BY_ID, "udev", found) : 0;
}

static int add_udev(struct reader *r, unsigned subject, const char *devno)
{
    struct buf lines = {0};
    int code = xa_host_udev(r->host, devno, &lines);
    if (code && !is_absent(code))
        code = xa_fail(r->err, code, "udev", "%s: %s", devno, strerror(-code));
    else
        code = 0;
    char *rest = lines.text;
    for (char *line = next_line(&rest); !code && line; line = next_line(&rest)) {
        char *value = line, *key = strsep(&value, "=");
        if (value)
            code = add_pair(r, subject, "udev", udev_keys,
                            sizeof(udev_keys) / sizeof(udev_keys[0]), key, value);
        if (value && !code && strcmp(key, "DEVLINKS") == 0 && xa_utf8_valid(value))
            code = add_link(r, subject, value);
    }
    xa_buf_free(&lines);
    return code;
}

static int add_signature(struct reader *r, unsigned subject, const char *devno, const char *node)
{
    struct buf lines = {0};
    int code = xa_host_signature(r->host, devno, node, &lines);
    if (code == -ENOMEM)
        return xa_fail_memory(r->err, node);
    if (code)
        return add_number(r, subject, ATTRIBUTE_SIGNATURE_UNREAD, 1);
    char *rest = lines.text;
    for (char *line = next_line(&rest); !code && line; line = next_line(&rest)) {
        char *value = line, *key = strsep(&value, "=");
        if (value)
            code = add_pair(r, subject, "blkid", signature_keys,
                            sizeof(signature_keys) / sizeof(signature_keys[0]), key, value);
    }
    xa_buf_free(&lines);
    return code;
}

/* mdadm holds back all reads of the part of an array that it reshapes in place, for minutes: the
   device is not opened then. */
static bool is_reshaping(const struct xfsa_facts *facts)
{
    for (size_t at = 0; at < facts->count; at++) {
        const struct fact *fact = &facts->items[at];
        if (fact->attribute == ATTRIBUTE_RESHAPING ||
            (fact->attribute == ATTRIBUTE_SYNC_ACTION && strcmp(fact->text, "reshape") == 0))
            return true;
    }
    return false;
}

/* A device that is asked about: what it is, and whether it is free. */
static int add_wanted(struct reader *r, const char *node, const char *devno, bool log)
{
    unsigned subject = 0;
    char folder[64];
    int code = add_device(r, devno, &subject);
    if (code)
        return code;
    snprintf(folder, sizeof(folder), "sys/dev/block/%.40s", devno);
    struct subject *wanted = &r->facts->subjects[subject];
    if (wanted->wanted || wanted->log)
        return 0;
    wanted->label = xa_arena_strdup(&r->facts->arena, node);
    if (!wanted->label)
        return xa_fail_memory(r->err, node);
    wanted->log = log;
    wanted->wanted = !log;
    code = add_use(r, subject, folder);
    if (!code)
        code = add_mounts(r, subject, devno);
    if (!code)
        code = add_swaps(r, subject, devno);
    if (!code)
        code = add_udev(r, subject, devno);
    return code || is_reshaping(r->facts) ? code : add_signature(r, subject, devno, node);
}

/* The path of a device: a bare name is below /dev, where the kernel's ! is a slash. */
static void node_of(const char *name, char node[PATH_ROOM])
{
    snprintf(node, PATH_ROOM, "%s%s", strchr(name, '/') ? "" : "/dev/", name);
    for (char *at = strchr(name, '/') ? NULL : node; at && *at; at++)
        *at = *at == '!' ? '/' : *at;
}

static int read_named(struct xfsa_facts *facts, struct host *host, const char *name, bool log,
                      struct xfsa_error *err)
{
    struct reader r = {.facts = facts, .host = host, .err = err};
    struct buf devno = {0};
    char node[PATH_ROOM];
    if (!name || !*name || strlen(name) >= PATH_ROOM - 8 || !xa_utf8_valid(name))
        return xa_fail(err, -EINVAL, "device", "not a name of a device");
    node_of(name, node);
    int code = xa_host_device(host, node, &devno);
    if (code)
        code = xa_fail(err, code, node, "%s", code == -ENOTBLK ? "is not a block device"
                                                               : strerror(-code));
    else
        code = add_wanted(&r, node, devno.text, log);
    xa_buf_free(&devno);
    xa_buf_free(&r.text);
    return code;
}

int xa_source_sysfs(struct xfsa_facts *facts, struct host *host, const char *name,
                    struct xfsa_error *err)
{
    return read_named(facts, host, name, false, err);
}

int xa_source_sysfs_log(struct xfsa_facts *facts, struct host *host, const char *name,
                        struct xfsa_error *err)
{
    return read_named(facts, host, name, true, err);
}
