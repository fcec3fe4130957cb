// SPDX-License-Identifier: LGPL-2.1-or-later
// What is on a block device: by libblkid, or as udev once found it. Probing only reads.
#include "host/signature.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/library.h"
#include "host/udev.h"

/* What is told, and how udev calls it. */
static const struct {
    const char *name;
    const char *udev;
    bool encoded; /* udev writes it with \xNN */
    bool table;   /* of the partition table; partitions inherit that of their disk */
} rows[] = {
    {"TYPE", "ID_FS_TYPE", false, false},
    {"USAGE", "ID_FS_USAGE", false, false},
    {"VERSION", "ID_FS_VERSION", false, false},
    {"LABEL", "ID_FS_LABEL_ENC", true, false},
    {"UUID", "ID_FS_UUID_ENC", true, false},
    {"PTTYPE", "ID_PART_TABLE_TYPE", false, true},
    {"PTUUID", "ID_PART_TABLE_UUID", false, true},
    {"AMBIVALENT", "ID_FS_AMBIVALENT", false, false},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

struct blkid_functions {
    __typeof__(&blkid_new_probe) blkid_new_probe;
    __typeof__(&blkid_free_probe) blkid_free_probe;
    __typeof__(&blkid_reset_probe) blkid_reset_probe;
    __typeof__(&blkid_probe_set_device) blkid_probe_set_device;
    __typeof__(&blkid_probe_enable_superblocks) blkid_probe_enable_superblocks;
    __typeof__(&blkid_probe_set_superblocks_flags) blkid_probe_set_superblocks_flags;
    __typeof__(&blkid_probe_enable_partitions) blkid_probe_enable_partitions;
    __typeof__(&blkid_do_safeprobe) blkid_do_safeprobe;
    __typeof__(&blkid_do_fullprobe) blkid_do_fullprobe;
    __typeof__(&blkid_probe_lookup_value) blkid_probe_lookup_value;
};

static const struct library_symbol symbols[] = {
    LIBRARY_SYMBOL(blkid_functions, blkid_new_probe),
    LIBRARY_SYMBOL(blkid_functions, blkid_free_probe),
    LIBRARY_SYMBOL(blkid_functions, blkid_reset_probe),
    LIBRARY_SYMBOL(blkid_functions, blkid_probe_set_device),
    LIBRARY_SYMBOL(blkid_functions, blkid_probe_enable_superblocks),
    LIBRARY_SYMBOL(blkid_functions, blkid_probe_set_superblocks_flags),
    LIBRARY_SYMBOL(blkid_functions, blkid_probe_enable_partitions),
    LIBRARY_SYMBOL(blkid_functions, blkid_do_safeprobe),
    LIBRARY_SYMBOL(blkid_functions, blkid_do_fullprobe),
    LIBRARY_SYMBOL(blkid_functions, blkid_probe_lookup_value),
};

struct blkid_library {
    void *handle;
    struct blkid_functions call;
};

static int hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = digit ? strchr(digits, digit | 0x20) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* The byte at text, decoded when it stands as \xNN; moves text behind it. */
static unsigned char next_byte(const char **text, bool encoded)
{
    const char *at = *text;
    if (encoded && at[0] == '\\' && at[1] == 'x') {
        int high = hex_digit(at[2]);
        int low = high < 0 ? -1 : hex_digit(at[3]);
        if (low >= 0) {
            *text += 4;
            return (unsigned char)(high * 16 + low);
        }
    }
    *text += 1;
    return (unsigned char)at[0];
}

static void add_line(struct buf *out, const char *name, const char *value, size_t length,
                     bool encoded)
{
    const char *end = value + strnlen(value, length);
    if (out->length)
        xa_buf_puts(out, "\n");
    xa_buf_printf(out, "%s=", name);
    while (value < end) {
        unsigned char byte = next_byte(&value, encoded);
        if (byte < 0x20 || byte == 0x7f || byte == '\\')
            xa_buf_printf(out, "\\x%02x", byte);
        else
            xa_buf_add(out, (const char *)&byte, 1);
    }
}

/* udev gives a partition what it found on the disk, if it found nothing on the partition. */
static bool is_inherited(const struct properties *set)
{
    const char *type = xa_properties_get(set, "DEVTYPE");
    const char *of_disk = xa_properties_get(set, "ID_PART_ENTRY_SCHEME");
    const char *table = xa_properties_get(set, "ID_PART_TABLE_TYPE");
    return type && strcmp(type, "partition") == 0 && of_disk && table &&
           strcmp(of_disk, table) == 0;
}

int xa_signature_database(struct host *door, const char *devno, struct buf *out)
{
    struct properties set = {0};
    bool initialized = false;
    int code = xa_udev_database(door, devno, &set, &initialized);
    if (!code && !initialized)
        code = -ENODATA;
    bool inherited = is_inherited(&set);
    for (unsigned at = 0; !code && at < ROWS; at++) {
        const char *value = xa_properties_get(&set, rows[at].udev);
        if (!value || (rows[at].table && inherited))
            continue;
        if (strcmp(rows[at].name, "AMBIVALENT") == 0)
            value = "1";
        add_line(out, rows[at].name, value, strlen(value), rows[at].encoded);
    }
    xa_properties_free(&set);
    return code;
}

int xa_blkid_open(const char *library, struct blkid_library **out)
{
    struct blkid_library *blkid = calloc(1, sizeof(*blkid));
    if (!blkid)
        return -ENOMEM;
    int code = xa_library_open(library, symbols, sizeof(symbols) / sizeof(symbols[0]),
                               &blkid->call, &blkid->handle);
    if (code) {
        free(blkid);
        return code;
    }
    *out = blkid;
    return 0;
}

void xa_blkid_close(struct blkid_library *blkid)
{
    if (!blkid)
        return;
    xa_library_close(blkid->handle);
    free(blkid);
}

/* Several signatures: says so, and names the first as mkfs.xfs would. */
static int probe(const struct blkid_functions *call, blkid_probe probe, bool *ambivalent)
{
    int found = call->blkid_do_safeprobe(probe);
    *ambivalent = found == -2;
    if (*ambivalent) {
        call->blkid_reset_probe(probe);
        call->blkid_do_fullprobe(probe);
        return 0;
    }
    return found < 0 ? -EIO : 0;
}

static int probe_device(const struct blkid_functions *call, blkid_probe device, int fd,
                        struct buf *out)
{
    bool ambivalent = false;
    if (call->blkid_probe_set_device(device, fd, 0, 0))
        return -EIO;
    call->blkid_probe_enable_superblocks(device, 1);
    call->blkid_probe_set_superblocks_flags(device, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID |
                                            BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
                                            BLKID_SUBLKS_VERSION);
    call->blkid_probe_enable_partitions(device, 1);
    int code = probe(call, device, &ambivalent);
    for (unsigned at = 0; !code && at < ROWS; at++) {
        const char *value;
        size_t length;
        if (call->blkid_probe_lookup_value(device, rows[at].name, &value, &length) == 0)
            add_line(out, rows[at].name, value, length, false);
    }
    if (!code && ambivalent)
        add_line(out, "AMBIVALENT", "1", 1, false);
    return code;
}

int xa_blkid_probe(struct blkid_library *blkid, int fd, struct buf *out)
{
    blkid_probe device = blkid->call.blkid_new_probe();
    if (!device)
        return -ENOMEM;
    int code = probe_device(&blkid->call, device, fd, out);
    blkid->call.blkid_free_probe(device);
    return code;
}
