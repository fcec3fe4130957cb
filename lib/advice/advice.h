/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The advice: settings with their reasons, findings, and what mkfs.xfs will make of the line. */
#pragma once

#include "advice/request.h"
#include "base/finding.h"
#include "stack/geometry.h"
#include "xfs/mkfs.h"

enum setting_origin { ORIGIN_DEFAULT, ORIGIN_ADVISED, ORIGIN_GIVEN };

enum { REASON_ARGS = 2 };

struct setting {
    bool present;
    bool emitted; /* stands in a line */
    bool has_value, has_default;
    uint64_t number, default_number;
    const char *text; /* text settings */
    enum setting_origin origin;
    enum reason_id reason;
    struct arg reason_args[REASON_ARGS];
};

struct target {
    const char *kernel, *xfsprogs; /* NULL: not known */
    enum xfsa_origin kernel_origin, xfsprogs_origin, cpus_origin;
    uint32_t kernel_version, cpus;
    bool kernel_known, profile_known;
    struct mkfs_profile profile;
    struct kernel_profile kernel_profile;
};

/* A value to write to a file of sysfs, now and (matched by udev) for good. */
struct queue_line {
    struct queue_line *next;
    const char *path;
    const char *attribute; /* the path below the device's folder */
    uint64_t value, was;
    const char *match_key, *match; /* udev property; match NULL: none is known */
};

/* The advice on one device or array. */
struct advice_item {
    const char *name;   /* what it is called; NULL: it has no name */
    const char *device; /* its path; NULL: named when the lines run */
    struct geometry geometry;
    struct target target;
    struct setting setting[SETTING_ROWS];
    struct finding_list findings;
    bool predicted;
    struct mkfs_outcome outcome;
    bool line_known; /* a line can be shown, perhaps blocked */
    bool blocked;    /* the line must not run */
    struct queue_line *queue;
    const char *by_id; /* a name of the device that stays; NULL: none */
    const char *mountpoint; /* NULL: named when the lines run */
    const char *const *argv; /* made when it is asked for */
};

struct xfsa_advice {
    struct arena arena;
    struct advice_item *items;
    size_t count;
    const struct workload_row *workload;
};

/* What a rule sees and fills. */
struct rule_context {
    const struct xfsa_request *request;
    const struct workload_row *workload;
    const struct xfsa_facts *facts;
    const struct stack *stack;
    const struct stack *log; /* of the log device; NULL: not read */
    struct arena *arena;
    struct advice_item *item;
    struct mkfs_environment env;
    uint32_t block_bytes;
    uint64_t su_bytes, sw; /* the stripe of the line; 0: none */
    bool full_stripe_unit; /* su is the full stripe, for streaming */
};

/* Gives a setting a value. The text must live as long as the advice. */
struct setting *xa_setting_put(struct rule_context *ctx, enum setting_id id, uint64_t number,
                               const char *text, enum reason_id reason);
/* Takes a setting out of the line. */
void xa_setting_drop(struct rule_context *ctx, enum setting_id id);

/* What mkfs.xfs makes of the settings that are in the line so far. */
void xa_predict(const struct rule_context *ctx, struct mkfs_outcome *outcome);

/* The rules, in the order in which they run. */
void xa_rule_target(struct rule_context *ctx);
void xa_rule_guards(struct rule_context *ctx);
void xa_rule_size(struct rule_context *ctx);
void xa_rule_options(struct rule_context *ctx);
void xa_rule_features(struct rule_context *ctx);
void xa_rule_stripe(struct rule_context *ctx);
void xa_rule_log_device(struct rule_context *ctx);
void xa_rule_ags(struct rule_context *ctx);
void xa_rule_log_unit(struct rule_context *ctx);
void xa_rule_outcome(struct rule_context *ctx);
void xa_rule_mount(struct rule_context *ctx);
void xa_rule_queue(struct rule_context *ctx);
void xa_rule_spell_out(struct rule_context *ctx);
