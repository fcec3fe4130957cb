// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules: what must not be overwritten, and arrays that are not steady.
#include <string.h>

#include "advice/advice.h"

static const struct fact *top_fact(const struct rule_context *ctx, enum attribute_id attribute)
{
    return ctx->stack->top.fact[attribute];
}

/* Every text that the facts have of one attribute of the top, joined. */
static void report_names(struct rule_context *ctx, enum attribute_id attribute,
                         enum finding_id finding)
{
    const struct fact *first = top_fact(ctx, attribute);
    struct buf names = {0};
    if (!first)
        return;
    for (size_t at = 0; at < ctx->facts->count; at++) {
        const struct fact *fact = &ctx->facts->items[at];
        if (fact->subject != first->subject || fact->attribute != attribute)
            continue;
        xa_buf_puts(&names, names.length ? ", " : "");
        xa_buf_puts(&names, fact->text);
    }
    FINDING_ADD(&ctx->item->findings, finding, ARG_TEXT(names.text));
    ctx->item->findings.failed |= names.failed;
    xa_buf_free(&names);
}

static void flag(struct rule_context *ctx, enum attribute_id attribute, enum finding_id finding)
{
    const struct fact *fact = top_fact(ctx, attribute);
    if (fact)
        FINDING_ADD(&ctx->item->findings, finding, ARG_NUMBER(fact->number));
}

static void check_signature(struct rule_context *ctx)
{
    const struct fact *type = top_fact(ctx, ATTRIBUTE_SIGNATURE);
    const struct fact *table = top_fact(ctx, ATTRIBUTE_PARTITION_TABLE);
    struct buf text = {0};
    flag(ctx, ATTRIBUTE_SIGNATURE_UNREAD, FINDING_SIGNATURE_UNREAD);
    if (!type && !table)
        return;
    if (type)
        xa_buf_printf(&text, "%s", type->text);
    else
        xa_buf_printf(&text, "a partition table (%s)", table->text);
    FINDING_ADD(&ctx->item->findings,
                ctx->request->overwrite ? FINDING_SIGNATURE_OVERWRITTEN : FINDING_SIGNATURE_FOUND,
                ARG_TEXT(text.text));
    ctx->item->findings.failed |= text.failed;
    xa_buf_free(&text);
}

static void check_flux(struct rule_context *ctx)
{
    const struct geometry *g = &ctx->item->geometry;
    const struct settled *base = &ctx->stack->base;
    struct finding_list *findings = &ctx->item->findings;
    const char *level = xa_settled_text(base, ATTRIBUTE_LEVEL);
    const char *state = xa_settled_text(base, ATTRIBUTE_ARRAY_STATE);
    const char *action = xa_settled_text(base, ATTRIBUTE_SYNC_ACTION);
    if (base->fact[ATTRIBUTE_CONTAINER] && (!state || strcmp(state, "inactive") == 0 || !level))
        FINDING_ADD(findings, FINDING_CONTAINER_DEVICE, ARG_NUMBER(0));
    else if (g->flux == FLUX_INACTIVE)
        FINDING_ADD(findings, FINDING_ARRAY_INACTIVE, ARG_TEXT(state));
    else if (g->flux == FLUX_RESHAPING)
        FINDING_ADD(findings, FINDING_RESHAPE_RUNNING, ARG_TEXT(level ? level : "an array"),
                    ARG_NUMBER(xa_settled_number(base, ATTRIBUTE_DISKS, 0)),
                    ARG_NUMBER(xa_settled_number(base, ATTRIBUTE_CHUNK, 0)));
    else if (g->flux == FLUX_DEGRADED)
        FINDING_ADD(findings, FINDING_ARRAY_DEGRADED,
                    ARG_NUMBER(xa_settled_number(base, ATTRIBUTE_DEGRADED, 0)));
    else if (g->flux == FLUX_SYNCING)
        FINDING_ADD(findings, FINDING_ARRAY_SYNCING, ARG_TEXT(action));
}

void xa_rule_guards(struct rule_context *ctx)
{
    check_flux(ctx);
    report_names(ctx, ATTRIBUTE_MOUNTED, FINDING_IN_USE_MOUNTED);
    report_names(ctx, ATTRIBUTE_HOLDER, FINDING_IN_USE_HOLDER);
    flag(ctx, ATTRIBUTE_SWAP, FINDING_IN_USE_SWAP);
    flag(ctx, ATTRIBUTE_PARTITIONS, FINDING_HAS_PARTITIONS);
    flag(ctx, ATTRIBUTE_READ_ONLY, FINDING_READ_ONLY);
    check_signature(ctx);
    if (ctx->item->geometry.alignment_inconsistent)
        FINDING_ADD(&ctx->item->findings, FINDING_ALIGNMENT_INCONSISTENT, ARG_NUMBER(0));
}
