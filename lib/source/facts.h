/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts as the sources give them: {subject, attribute, value, provenance}. Nothing here
 * decides which of two facts is right.
 */
#pragma once

#include "base/arena.h"
#include "base/tables.h"
#include "xfsadvise.h"

struct fact {
    unsigned subject; /* number of the thing it is about */
    enum attribute_id attribute;
    enum source_kind kind;
    const char *source; /* "description", "text:mdadm-detail", ... */
    uint64_t number;    /* bytes, count or flag */
    const char *text;   /* text attributes; else the value as it was written, or NULL */
};

/* A thing that facts are about. */
struct subject {
    const char *name;  /* the kernel's; NULL: it has none */
    const char *label; /* as it was asked for; NULL: the name */
    bool read;         /* its facts have been read from a machine */
    bool log;          /* it is to hold the log */
    bool wanted;       /* advice is wanted on it, and not only on what lies above it */
};

struct xfsa_facts {
    struct arena arena;
    struct fact *items;
    size_t count, room;
    struct subject *subjects;
    size_t subject_count, subject_room;
};

/* The number of a subject, made when it is new (name may be NULL), or a negative errno. */
int xa_facts_subject(struct xfsa_facts *facts, const char *name);

/* What a fact's value may be: checks an attribute's limits. Returns 0, -EINVAL or -ERANGE. */
int xa_fact_check(enum attribute_id attribute, uint64_t number);

/* Adds a fact; text may be NULL for numbers. Copies source and text. Returns 0 or -ENOMEM. */
int xa_facts_add(struct xfsa_facts *facts, const struct fact *fact);

struct host;

/* Adds the facts of a block device and of what lies below it. */
int xa_source_sysfs(struct xfsa_facts *facts, struct host *host, const char *name,
                    struct xfsa_error *err);
/* The same for a device that is to hold the log. */
int xa_source_sysfs_log(struct xfsa_facts *facts, struct host *host, const char *name,
                        struct xfsa_error *err);

/* Adds the facts of a description such as "raid6:disks=14,chunk=128k" as one new subject. */
int xa_source_description(struct xfsa_facts *facts, const char *text, struct xfsa_error *err);
