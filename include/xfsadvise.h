/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libxfsadvise: how to make and mount XFS on the storage at hand.
 *
 * The way of use: collect facts about the storage, make a request, ask for advice, print it
 * or read it. The library never writes to a device, never starts a program, never prints and
 * never exits; it has no globals.
 *
 * Rules for every function, unless its comment says otherwise:
 *  - Returns 0, or a negative errno; then out parameters are untouched, the objects passed in
 *    are as before, and err (may be NULL) says what was wrong.
 *  - Texts are UTF-8 and end with a NUL. Texts passed in are copied. NULL is refused with
 *    -EINVAL where a comment does not allow it; objects are never NULL but for *_free.
 *  - Different objects may be used by different threads at once; one object by one thread.
 *  - Sizes are bytes unless the name says _sectors (of 512), _blocks (of the file system) or
 *    _kib.
 */
#ifndef XFSADVISE_H
#define XFSADVISE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define XFSA_EXPORT __attribute__((visibility("default")))
#else
#define XFSA_EXPORT
#endif

/* What went wrong. Filled only when a call fails. Since 0.1. */
struct xfsa_error {
    int code;         /* the negative errno that the call returned */
    unsigned line;    /* line of the source, counted from 1; 0: not of a line */
    char source[64];  /* what was being read: "geometry", a file, a device */
    char text[256];   /* one line, without control characters */
};

/* The release of the library, "0.1.0". Lives as long as the program. Since 0.1. */
XFSA_EXPORT const char *xfsa_version(void);

/* ---- Facts: what is known about the storage ------------------------------------------- */

/* A growing set of facts. Opaque. */
struct xfsa_facts;

/* Makes an empty set; free it with xfsa_facts_free. -ENOMEM. Since 0.1. */
XFSA_EXPORT int xfsa_facts_new(struct xfsa_facts **out);

/* Frees the set and all it holds; NULL is allowed. Since 0.1. */
XFSA_EXPORT void xfsa_facts_free(struct xfsa_facts *facts);

/*
 * Adds one array described in a word, LEVEL:key=value,...: for instance
 * "raid6:disks=14,chunk=128k,size=12t". README.md lists levels and keys.
 * -EINVAL or -ERANGE: the description is wrong, err names the key. -ENOMEM. Since 0.1.
 */
XFSA_EXPORT int xfsa_facts_describe(struct xfsa_facts *facts, const char *description,
                                    struct xfsa_error *err);

/*
 * Adds one fact that the program itself knows. subject: what it is about, the path of a device or
 * any name; NULL makes a new one without a name. attribute: a name of data/attributes.json
 * ("chunk"). value: as text ("512k", "14", "raid6"). source: who says so, for the output.
 * -EINVAL: no such attribute or not a value of its type. -ERANGE: beyond its limits. -ENOMEM.
 * Since 0.1.
 */
XFSA_EXPORT int xfsa_facts_add(struct xfsa_facts *facts, const char *subject,
                               const char *attribute, const char *value, const char *source,
                               struct xfsa_error *err);

/* ---- Hosts: where facts are read ------------------------------------------------------ */

/*
 * One machine through one door: this one, a folder with another one's sys/, proc/ and
 * run/udev/data, or a capture. Opaque. Nothing is ever written through it.
 */
struct xfsa_host;

/* Opens this machine. -ENOMEM, or why / cannot be opened. Since 0.1. */
XFSA_EXPORT int xfsa_host_live(struct xfsa_host **out, struct xfsa_error *err);

/* Opens a folder; links never lead out of it. -ENOENT: there is no sys/ in it. Since 0.1. */
XFSA_EXPORT int xfsa_host_sysroot(const char *folder, struct xfsa_host **out,
                                  struct xfsa_error *err);

/*
 * Opens a capture: length bytes of JSON, which are no longer needed afterwards. source: its name
 * in errors. -EBADMSG: it is no capture of a known schema. Since 0.1.
 */
XFSA_EXPORT int xfsa_host_capture(const char *json, size_t length, const char *source,
                                  struct xfsa_host **out, struct xfsa_error *err);

/*
 * Wraps a host, which it then owns, and keeps every answer for xfsa_host_record. -ENOMEM: inner
 * stays the caller's. Since 0.1.
 */
XFSA_EXPORT int xfsa_host_recorder(struct xfsa_host *inner, struct xfsa_host **out);

/* Closes it; NULL is allowed. Facts read from it stay. Since 0.1. */
XFSA_EXPORT void xfsa_host_free(struct xfsa_host *host);

/*
 * Overrides what the host says of where lines will run: "kernel", "cpus" or "xfsprogs" (which no
 * host knows by itself, since the library starts no program). -EINVAL: no such name. -ENOMEM.
 * Since 0.1.
 */
XFSA_EXPORT int xfsa_host_set_target(struct xfsa_host *host, const char *what,
                                     const char *value);

/* Name number index (from 0) that a capture was made for. -ENOENT: there is none. Since 0.1. */
XFSA_EXPORT int xfsa_host_captured(const struct xfsa_host *capture, size_t index,
                                   const char **name);

/*
 * Adds the facts of a block device and of what lies below it. name: "/dev/md0", "md0" or a link.
 * -ENOENT, -ENOTBLK: there is none; -EBADMSG, -EFBIG, -EILSEQ, -ELOOP: something that was read
 * makes no sense, err names it; -ENOMEM. The facts may then hold a part and are to be freed.
 * Since 0.1.
 */
XFSA_EXPORT int xfsa_facts_read_device(struct xfsa_facts *facts, struct xfsa_host *host,
                                       const char *name, struct xfsa_error *err);

/*
 * Adds the facts of the device that is to hold the log of what the request calls "log-device":
 * its size, sectors and hints then need not be assumed. Errors as before. Since 0.1.
 */
XFSA_EXPORT int xfsa_facts_read_log_device(struct xfsa_facts *facts, struct xfsa_host *host,
                                           const char *name, struct xfsa_error *err);

/* Adds the facts of every block device that has a size. Errors as before. Since 0.1. */
XFSA_EXPORT int xfsa_facts_read_all(struct xfsa_facts *facts, struct xfsa_host *host,
                                    struct xfsa_error *err);

/*
 * The capture of all that a recorder was asked, for the devices of the facts. anonymise, not 0:
 * serials, WWNs, UUIDs, labels, names and mount points are replaced, each by the same everywhere.
 * *out is for the caller to free(). -EINVAL: host is no recorder. -ENOMEM. Since 0.1.
 */
XFSA_EXPORT int xfsa_host_record(struct xfsa_host *host, const struct xfsa_facts *facts,
                                 int anonymise, char **out, struct xfsa_error *err);

/* ---- Request: what it is for, and where the lines will run ---------------------------- */

/* What is asked for. Opaque. */
struct xfsa_request;

/* Where a value about the target comes from. Since 0.1. */
enum xfsa_origin {
    XFSA_ORIGIN_ASSUMED, /* nobody said */
    XFSA_ORIGIN_HOST,    /* found on this machine */
    XFSA_ORIGIN_USER,    /* given */
    XFSA_ORIGIN_CAPTURE  /* recorded on another machine */
};

/* Makes a request with nothing asked for: workload general. -ENOMEM. Since 0.1. */
XFSA_EXPORT int xfsa_request_new(struct xfsa_request **out);

/* Frees the request; NULL is allowed. Since 0.1. */
XFSA_EXPORT void xfsa_request_free(struct xfsa_request *request);

/*
 * Asks for something, by the name of the command line's long option without its dashes:
 * "workload", "writers", "file-size", "agcount", "agsize", "block-size", "log-device",
 * "log-size", "mountpoint", "label", "uuid", "sector-size", and the switches "overwrite",
 * "no-discard", "full" (value NULL). A name that was set before gets the new value.
 * -ENOENT: no such name. -EINVAL or -ERANGE: not a value for it. -ENOMEM. Since 0.1.
 */
XFSA_EXPORT int xfsa_request_set(struct xfsa_request *request, const char *name,
                                 const char *value, struct xfsa_error *err);

/*
 * Says where the lines will run: name "kernel" or "xfsprogs" (a version, "6.1.0"), or "cpus"
 * (a number). Errors as for xfsa_request_set. Since 0.1.
 */
XFSA_EXPORT int xfsa_request_set_target(struct xfsa_request *request, const char *name,
                                        const char *value, enum xfsa_origin origin,
                                        struct xfsa_error *err);

/* Says of the target what the host knows and nobody said yet. -ENOMEM. Since 0.1. */
XFSA_EXPORT int xfsa_request_set_targets(struct xfsa_request *request, struct xfsa_host *host,
                                         struct xfsa_error *err);

/* ---- Advice --------------------------------------------------------------------------- */

/* The advice for each subject of a set of facts. Opaque; needs neither facts nor request. */
struct xfsa_advice;

/*
 * Works out the advice. Facts that are missing or wrong are findings in the advice, not
 * errors. -ENODATA: no facts at all. -EINVAL: agcount and agsize together, or a label, UUID, log
 * device or mount point for several. -ENOMEM. Does no input or output. Since 0.1.
 */
XFSA_EXPORT int xfsa_advise(const struct xfsa_facts *facts, const struct xfsa_request *request,
                            struct xfsa_advice **out, struct xfsa_error *err);

/* Frees the advice and every text it gave out; NULL is allowed. Since 0.1. */
XFSA_EXPORT void xfsa_advice_free(struct xfsa_advice *advice);

/* The number of devices or arrays advised on. Since 0.1. */
XFSA_EXPORT size_t xfsa_advice_count(const struct xfsa_advice *advice);

/*
 * The exit status of the command line: 0 each device got its lines, 1 an error finding
 * blocked some (or, with strict not 0, a warning stands), 3 facts are missing. The highest of
 * all devices. Since 0.1.
 */
XFSA_EXPORT int xfsa_advice_status(const struct xfsa_advice *advice, int strict);

/* A figure of the advice. Since 0.1. */
enum xfsa_figure {
    XFSA_SIZE,                 /* of the device, bytes */
    XFSA_STRIPE_UNIT,          /* chunk or strip of one disk, bytes */
    XFSA_DATA_DISKS,           /* over all legs */
    XFSA_STRIPE_WIDTH,         /* bytes over all legs */
    XFSA_RECOMMENDED_SU,       /* of the mkfs.xfs line, bytes */
    XFSA_RECOMMENDED_SW,       /* of the mkfs.xfs line, stripe units */
    XFSA_LOG_STRIPE_UNIT,      /* bytes */
    XFSA_MAX_SECTORS_KIB,      /* of the disks that the kernel drives */
    XFSA_AG_COUNT,             /* predicted */
    XFSA_AG_SIZE_BLOCKS,       /* predicted, file-system blocks */
    XFSA_BLOCKS,               /* predicted, file-system blocks */
    XFSA_BLOCK_SIZE,           /* bytes */
    XFSA_LOG_BLOCKS            /* predicted, file-system blocks */
};

/*
 * Gives one figure of device index (from 0). -ENOENT: not known, or there is none (no
 * stripe). -EINVAL: no such device or figure. Since 0.1.
 */
XFSA_EXPORT int xfsa_advice_figure(const struct xfsa_advice *advice, size_t index,
                                   enum xfsa_figure figure, uint64_t *value);

/*
 * The mkfs.xfs line of device index as arguments that end with NULL; the words DEVICE and
 * LOGDEVICE stand for devices that were not named. NULL when a finding blocks it, there is no
 * such device or memory is short. Lives as long as the advice. Since 0.1.
 */
XFSA_EXPORT const char *const *xfsa_advice_mkfs(struct xfsa_advice *advice, size_t index);

/* A finding. Its texts live as long as the advice. Since 0.1. */
struct xfsa_finding {
    const char *id;       /* stable, in words: "start-misaligned" */
    const char *severity; /* "error", "warning" or "note" */
    const char *text;     /* one line with the numbers */
};

/*
 * Gives finding number which (from 0) of device index. size is sizeof *finding as the program
 * knows it; the library fills no more than that. -ENOENT: no such finding. -ENOMEM. Since 0.1.
 */
XFSA_EXPORT int xfsa_advice_finding(struct xfsa_advice *advice, size_t index, size_t which,
                                    struct xfsa_finding *finding, size_t size);

/* For xfsa_advice_render. Since 0.1. */
enum xfsa_render_flag {
    XFSA_RENDER_COLOUR = 1 /* ANSI colours, where the format has any */
};

/*
 * Writes the advice in one format: "shell" (a script that runs), "json" (schema 1), "fstab" (its
 * lines), "udev" (rules for queue limits) or "table" (one row a device). flags: an or of xfsa_render_flag; others are refused. *out is for the caller to free().
 * -ENOENT: no such format. -EINVAL: unknown flags. -ENOMEM. Since 0.1.
 */
XFSA_EXPORT int xfsa_advice_render(const struct xfsa_advice *advice, const char *format,
                                   unsigned flags, char **out, struct xfsa_error *err);

/* xfsa_advice_render in the format "json". Since 0.1. */
XFSA_EXPORT int xfsa_advice_to_json(const struct xfsa_advice *advice, char **out,
                                    struct xfsa_error *err);

#ifdef __cplusplus
}
#endif

#endif
