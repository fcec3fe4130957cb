/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel's I/O hints are worth: minimum_io_size and optimal_io_size. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum hint_worth {
    HINT_NONE,    /* no hint */
    HINT_STRIPE,  /* a plausible chunk and full stripe */
    HINT_UNIT,    /* both the same: a chunk, the width is not known */
    HINT_BOGUS,   /* cannot be a stripe */
};

/* Judges a hint by itself, whoever gives it. */
enum hint_worth xa_hint_worth(uint64_t io_min_bytes, uint64_t io_opt_bytes,
                              uint32_t physical_sector_bytes);
