/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces the names of people's things in the questions and answers of a capture. */
#pragma once

#include "host/disguise.h"
#include "host/door.h"

/* Each appends the text with what is secret in it replaced. */
void xa_hide_device(struct disguise *disguise, const char *name, struct buf *out);
void xa_hide_question(struct disguise *disguise, enum question_kind kind, const char *name,
                      struct buf *out);
void xa_hide_answer(struct disguise *disguise, enum question_kind kind, const char *name,
                    const struct buf *text, struct buf *out);
