// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs the rules over each subject of the facts.
#include <errno.h>
#include <stdlib.h>

#include "advice/advice.h"
#include "base/error.h"

enum rule_use { USE_ADVISE = 1 };

static const struct {
    const char *name;
    unsigned uses;
    void (*run)(struct rule_context *ctx);
} rules[] = {
    {"target", USE_ADVISE, xa_rule_target},
    {"guards", USE_ADVISE, xa_rule_guards},
    {"size", USE_ADVISE, xa_rule_size},
    {"options", USE_ADVISE, xa_rule_options},
    {"features", USE_ADVISE, xa_rule_features},
    {"stripe", USE_ADVISE, xa_rule_stripe},
    {"log-device", USE_ADVISE, xa_rule_log_device},
    {"ags", USE_ADVISE, xa_rule_ags},
    {"log-unit", USE_ADVISE, xa_rule_log_unit},
    {"outcome", USE_ADVISE, xa_rule_outcome},
    {"mount", USE_ADVISE, xa_rule_mount},
    {"queue", USE_ADVISE, xa_rule_queue},
    {"spell-out", USE_ADVISE, xa_rule_spell_out},
};

struct setting *xa_setting_put(struct rule_context *ctx, enum setting_id id, uint64_t number,
                               const char *text, enum reason_id reason)
{
    struct setting *setting = &ctx->item->setting[id];
    *setting = (struct setting){.present = true, .emitted = true, .has_value = true,
                                .number = number, .text = text, .origin = ORIGIN_ADVISED,
                                .reason = reason};
    return setting;
}

void xa_setting_drop(struct rule_context *ctx, enum setting_id id)
{
    ctx->item->setting[id] = (struct setting){0};
}

void xa_predict(const struct rule_context *ctx, struct mkfs_outcome *outcome)
{
    struct mkfs_line line = {0};
    for (unsigned at = 0; at < SETTING_ROWS; at++) {
        const struct setting *setting = &ctx->item->setting[at];
        if (setting->emitted)
            line.value[at] = (struct mkfs_value){true, setting->number, setting->text};
    }
    xa_mkfs_predict(&ctx->item->target.profile, &ctx->env, &line, outcome);
}

/* A copy of a text of the facts, which the advice outlives. */
static const char *keep(struct advice_item *item, struct arena *arena, const char *text)
{
    const char *copy = text ? xa_arena_strdup(arena, text) : NULL;
    item->findings.failed |= text && !copy;
    return copy;
}

/* The stack of the device that is to hold the log; false: none was read. */
static bool find_log(const struct xfsa_facts *facts, struct arena *arena, struct stack *log,
                     struct finding_list *findings)
{
    for (unsigned at = 0; at < facts->subject_count; at++) {
        if (!facts->subjects[at].log)
            continue;
        xa_stack_build(facts, at, arena, log, findings);
        findings->failed |= log->failed;
        return true;
    }
    return false;
}

static void advise_one(struct xfsa_advice *advice, struct advice_item *item,
                       const struct xfsa_facts *facts, const struct xfsa_request *request,
                       unsigned subject)
{
    struct stack stack, log;
    struct arena *arena = &advice->arena;
    const struct subject *wanted = &facts->subjects[subject];
    struct rule_context ctx = {.request = request, .workload = advice->workload, .facts = facts,
                               .stack = &stack, .arena = arena, .item = item};
    item->findings.arena = arena;
    xa_stack_build(facts, subject, arena, &stack, &item->findings);
    item->findings.failed |= stack.failed;
    if (request->log_device && find_log(facts, arena, &log, &item->findings))
        ctx.log = &log;
    xa_geometry_resolve(&stack, &item->geometry, &item->findings);
    item->name = keep(item, arena, wanted->label ? wanted->label : wanted->name);
    item->device = item->name && *item->name == '/' ? item->name : NULL;
    item->geometry.source = keep(item, arena, item->geometry.source);
    item->by_id = keep(item, arena, xa_settled_text(&stack.top, ATTRIBUTE_BY_ID));
    for (size_t at = 0; at < sizeof(rules) / sizeof(rules[0]); at++) {
        if (rules[at].uses & USE_ADVISE)
            rules[at].run(&ctx);
    }
    item->blocked = xa_finding_blocks(&item->findings);
}

/* What is asked for has to make sense for all that is asked about. */
static int check_together(const struct xfsa_facts *facts, const struct xfsa_request *request,
                          struct xfsa_error *err)
{
    size_t wanted = 0;
    for (size_t at = 0; at < facts->subject_count; at++)
        wanted += facts->subjects[at].wanted;
    if (wanted == 0)
        return xa_fail(err, -ENODATA, "facts", "there are none");
    if (request->agcount && request->agsize_bytes)
        return xa_fail(err, -EINVAL, "agcount", "contradicts agsize: give one of them");
    if (wanted > 1 && (request->label || request->uuid || request->log_device ||
                       request->mountpoint))
        return xa_fail(err, -EINVAL, "request", "a label, UUID, log device or mount point belongs "
                                                "to one file system, and there are several");
    return 0;
}

int xfsa_advise(const struct xfsa_facts *facts, const struct xfsa_request *request,
                struct xfsa_advice **out, struct xfsa_error *err)
{
    int code = check_together(facts, request, err);
    if (code)
        return code;
    struct xfsa_advice *advice = calloc(1, sizeof(*advice));
    if (!advice)
        return xa_fail_memory(err, "advice");
    advice->workload = &xa_workload_table[request->workload];
    advice->items = calloc(facts->subject_count, sizeof(*advice->items));
    bool failed = !advice->items;
    for (unsigned at = 0; !failed && at < facts->subject_count; at++) {
        if (!facts->subjects[at].wanted)
            continue;
        struct advice_item *item = &advice->items[advice->count++];
        advise_one(advice, item, facts, request, at);
        failed = item->findings.failed;
    }
    if (failed) {
        xfsa_advice_free(advice);
        return xa_fail_memory(err, "advice");
    }
    *out = advice;
    return 0;
}

void xfsa_advice_free(struct xfsa_advice *advice)
{
    if (!advice)
        return;
    xa_arena_free(&advice->arena);
    free(advice->items);
    free(advice);
}
