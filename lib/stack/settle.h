/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settles what several sources say about one thing, by the precedence of data/attributes.json. */
#pragma once

#include "base/finding.h"
#include "source/facts.h"

/* The settled facts of one subject; NULL: not known. */
struct settled {
    const char *name; /* of the subject; NULL: none */
    const struct fact *fact[ATTRIBUTE_ROWS];
};

/* Settles one subject's facts; contradictions become findings. */
void xa_settle(const struct xfsa_facts *facts, unsigned subject, struct settled *settled,
               struct finding_list *findings);

/* The settled number, or otherwise when it is not known. */
uint64_t xa_settled_number(const struct settled *settled, enum attribute_id attribute,
                           uint64_t otherwise);
/* The settled text, or NULL. */
const char *xa_settled_text(const struct settled *settled, enum attribute_id attribute);
