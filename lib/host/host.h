/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one door to a machine. Three doors have this face: live (this machine), sysroot (a folder
 * that holds another machine's sys/, proc/, run/udev/), capture (a JSON file of answers); and a
 * recorder wraps any of them and writes the capture. Nothing here knows what an answer means.
 *
 * Nothing is written to, no program is started, nothing is kept between two questions (but for
 * the recorder, which gives one question one answer). Different hosts may be used by different
 * threads at once.
 *
 * A capture, schema 1; every part is there, more may be added. Keys are sorted, so that the
 * same facts give the same bytes:
 *
 *   {"schema": 1, "tool": "xfsadvise", "capture": true, "version": "0.1.0",
 *    "devices": ["/dev/md0"],                          the names that were asked for
 *    "target": {"kernel": "6.1.0", "cpus": "8", "xfsprogs": null},       null: not known
 *    "read":      {"sys/block/md0/size": ENTRY},       xa_host_read, xa_host_read_large
 *    "link":      {"sys/dev/block/9:0": ENTRY},        xa_host_link
 *    "list":      {"sys/block/md0/slaves": ENTRY},     xa_host_list
 *    "device":    {"/dev/md0": ENTRY},                 xa_host_device
 *    "udev":      {"9:0": ENTRY},                      xa_host_udev
 *    "signature": {"9:0": ENTRY}}                      xa_host_signature
 *
 * An ENTRY is what the door answered: {"text": "..."}, {"hex": "ff00..."} for what is not
 * UTF-8, or {"error": "ENOENT"} (a number where the error has no name in lib/host/entry.c).
 */
#pragma once

#include <stddef.h>

#include "base/text.h"
#include "xfsadvise.h"

struct host;

enum {
    HOST_READ_BYTES = 64 * 1024,              /* most that xa_host_read takes */
    HOST_READ_LARGE_BYTES = 16 * 1024 * 1024, /* xa_host_read_large, xa_host_list */
    HOST_CAPTURE_BYTES = 256 * 1024 * 1024,   /* a capture */
};

/*
 * Each makes a door. Returns 0 or a negative errno and fills err (may be NULL).
 * sysroot: -ENOENT also when there is no sys/ in the folder.
 * capture: -EBADMSG when the text is no capture of schema 1; source names it in the error.
 */
int xa_host_live(struct host **out, struct xfsa_error *err);
int xa_host_sysroot(const char *folder, struct host **out, struct xfsa_error *err);
int xa_host_capture(const char *json, size_t length, const char *source, struct host **out,
                    struct xfsa_error *err);
/* Wraps inner and owns it on success; on -ENOMEM inner stays the caller's. */
int xa_host_recorder(struct host *inner, struct host **out);
/* NULL is allowed. */
void xa_host_free(struct host *host);

/*
 * Questions. Each clears out and fills it, and returns 0 or a negative errno; out is empty after
 * an error. Common to all: -EINVAL for a name that is empty, not UTF-8 or 4096 bytes or more;
 * -ENODATA for a question that a capture does not hold; -ENOMEM.
 * Paths have no leading slash: "sys/block/md0/size".
 */

/*
 * A text file; one newline at its end is cut. -EFBIG: beyond the limit. -EILSEQ: a NUL byte
 * inside. -EISDIR, -ENXIO: no regular file. -ELOOP: links in a circle.
 */
int xa_host_read(struct host *host, const char *path, struct buf *out);
/* The same with a larger limit, for proc/self/mountinfo and proc/swaps. */
int xa_host_read_large(struct host *host, const char *path, struct buf *out);

/* What a symbolic link says; -EINVAL when it is none. */
int xa_host_link(struct host *host, const char *path, struct buf *out);

/* The names in a folder, sorted, one a line; "." and ".." and names with a newline left out. */
int xa_host_list(struct host *host, const char *path, struct buf *out);

/*
 * The number "9:0" of the block device that a person calls "/dev/md0", "md0" or
 * "/dev/disk/by-id/...". -ENOTBLK: it is something else. -ENOENT: there is none. -EBADMSG:
 * sysfs gives no number.
 */
int xa_host_device(struct host *host, const char *name, struct buf *out);

/*
 * What udev knows of a block device "9:0": KEY=VALUE lines sorted by key; the words of DEVLINKS,
 * TAGS and CURRENT_TAGS sorted too. -ENOENT: no such device. -EBADMSG: its database is damaged.
 */
int xa_host_udev(struct host *host, const char *devno, struct buf *out);

/*
 * What is on a block device: KEY=VALUE lines of TYPE, USAGE, VERSION, LABEL, UUID, PTTYPE,
 * PTUUID and AMBIVALENT=1 (several at once; TYPE is then the first found). Empty: nothing. In
 * values, a backslash and control bytes stand as \xNN. node: where it can be opened, or NULL.
 * Live: probed with libblkid; -ELIBACC when there is no libblkid, -ENODEV when node is
 * another device. Sysroot: what udev once found; -ENODATA where udev has not looked.
 */
int xa_host_signature(struct host *host, const char *devno, const char *node, struct buf *out);

/*
 * Where lines will run: "kernel" (a release), "cpus" (how many are online), "xfsprogs" (a
 * version; only where it was set or recorded). -ENOENT: not known. -EINVAL: no such target.
 */
int xa_host_target(struct host *host, const char *what, struct buf *out);
/* Overrides a target; the command line hands in the version of mkfs.xfs. */
int xa_host_set_target(struct host *host, const char *what, const char *value);

/*
 * The recorder's yield: a capture of every answer given, and the names that were asked for.
 * -EINVAL: no recorder, or a device name that is not UTF-8. The caller frees out.
 */
int xa_host_record_json(struct host *recorder, const char *const *devices, size_t count,
                        char **out);

/* The index-th name that a capture was made for. -ENOENT at the end and for other doors. */
int xa_host_capture_devices(const struct host *capture, size_t index, const char **name);

/*
 * The same capture with serials, WWNs, UUIDs, labels, host names, names below /dev/disk/by-*
 * (not by-path) and /dev/mapper, and mount points replaced: the same original by the same
 * replacement of the same shape, numbered in the order of their appearance. Errors as
 * xa_host_capture. The caller frees out.
 */
int xa_host_anonymise(const char *json, size_t length, const char *source, char **out,
                      struct xfsa_error *err);
