/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The shapes of the tables under data/, which are compiled in at build time.
 * A row's number is its id in tables-gen.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tables-gen.h"

enum { TABLE_ARGS = 5, TABLE_EVIDENCE = 4 };

struct level_row {
    const char *id;
    enum family family;
    unsigned parity;    /* parity disks of one leg */
    unsigned min_disks; /* of one leg */
    bool chunk;         /* has a chunk size */
    bool legs;          /* can have several legs */
};

struct attribute_row {
    const char *id;
    enum attribute_type type;
    unsigned char rank[SOURCE_KIND_ROWS]; /* 0: this kind of source may not give it */
    bool conflict;                        /* two sources that disagree are a finding */
    int64_t min, max;
};

/* A kind of block device; empty texts match anything. */
struct device_row {
    const char *id;
    const char *name;  /* start of the kernel's name */
    const char *path;  /* part of the path in sysfs */
    const char *vendor, *model; /* patterns with * */
    enum hint hint;
};

struct workload_row {
    const char *id;
    bool log_unit_block; /* log stripe unit of one block, else mkfs.xfs's own, capped */
    uint32_t logbsize_bytes;
    bool noatime;
    bool streams;
};

struct setting_row {
    const char *id;
    enum setting_where where;
    const char *option; /* "-d" */
    const char *key;    /* "su"; empty: the option itself */
    enum setting_kind kind;
    int64_t min, max; /* what mkfs.xfs takes; of a text: bytes */
    bool power_of_two;
    bool late; /* the value is read when it is used, not while the line is read */
};

struct feature_row {
    const char *id;
    enum setting_id setting;
    uint32_t kernel_since; /* packed version, see version.h */
    const char *kernel_text;
};

struct message_row {
    const char *id;
    enum stream stream; /* STREAM_WARNING: by release */
    bool usage;         /* the usage text follows */
    bool fatal;         /* exit status 1 */
    const char *text;   /* places {0}, {1}, ... */
    const char *kinds;  /* of the args: n number, b bytes, s size, t text */
    const char *why;
};

struct finding_row {
    const char *id;
    enum severity severity;
    bool blocks; /* the line must not run */
    int status;  /* exit status when it blocks */
    const char *text;
    const char *kinds;
    const char *names[TABLE_ARGS];
    const char *explain;
};

struct reason_row {
    const char *id;
    const char *text;
    const char *kinds;
    const char *evidence[TABLE_EVIDENCE];
};

struct evidence_row {
    const char *id;
    const char *source;
    const char *claim;
};

/* One behaviour of one program since a release; the last row that applies wins. */
struct behaviour_row {
    unsigned behaviour;
    uint32_t since; /* packed version */
    int value;
};

extern const struct level_row xa_level_table[LEVEL_ROWS];
extern const struct attribute_row xa_attribute_table[ATTRIBUTE_ROWS];
extern const struct device_row xa_device_table[DEVICE_ROWS];
extern const struct workload_row xa_workload_table[WORKLOAD_ROWS];
extern const struct setting_row xa_setting_table[SETTING_ROWS];
extern const struct feature_row xa_feature_table[FEATURE_ROWS];
extern const struct message_row xa_message_table[MESSAGE_ROWS];
extern const struct finding_row xa_finding_table[FINDING_ROWS];
extern const struct reason_row xa_reason_table[REASON_ROWS];
extern const struct evidence_row xa_evidence_table[EVIDENCE_ROWS];
extern const struct behaviour_row xa_progs_table[];
extern const unsigned xa_progs_table_rows;
extern const struct behaviour_row xa_kernel_table[];
extern const unsigned xa_kernel_table_rows;
extern const struct behaviour_row xa_feature_default_table[];
extern const unsigned xa_feature_default_rows;
