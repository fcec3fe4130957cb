// SPDX-License-Identifier: LGPL-2.1-or-later
// What the kernel's I/O hints are worth: minimum_io_size and optimal_io_size.
#include "stack/hint.h"

enum { PAGE_BYTES = 4096, SECTOR_BYTES = 512, MOST_DISKS = 64 };
#define WIDTH_LIMIT_BYTES (UINT64_C(1) << 31)

static bool power_of_two(uint64_t number)
{
    return number && (number & (number - 1)) == 0;
}

/* "The largest count of sectors that fits the field", as bridges report it, perhaps rounded. */
static bool is_field_limit(uint64_t bytes)
{
    return power_of_two(bytes + SECTOR_BYTES) || power_of_two(bytes + PAGE_BYTES);
}

enum hint_worth xa_hint_worth(uint64_t io_min_bytes, uint64_t io_opt_bytes,
                              uint32_t physical_sector_bytes)
{
    uint64_t physical = physical_sector_bytes ? physical_sector_bytes : SECTOR_BYTES;
    if (io_opt_bytes <= physical && io_min_bytes <= physical)
        return HINT_NONE;
    if (io_min_bytes <= physical || io_opt_bytes >= WIDTH_LIMIT_BYTES ||
        io_opt_bytes % io_min_bytes || io_opt_bytes % PAGE_BYTES || io_opt_bytes < io_min_bytes ||
        io_opt_bytes / io_min_bytes > MOST_DISKS || is_field_limit(io_opt_bytes))
        return HINT_BOGUS;
    return io_min_bytes == io_opt_bytes ? HINT_UNIT : HINT_STRIPE;
}
