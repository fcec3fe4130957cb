/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is asked for, and the machine where the lines will run. */
#pragma once

#include "base/tables.h"
#include "xfsadvise.h"

/* One fact about the target machine; text NULL: not said. */
struct target_fact {
    char *text;
    uint64_t number; /* packed version, or CPUs */
    enum xfsa_origin origin;
};

struct xfsa_request {
    enum workload_id workload;
    uint64_t writers, file_size_bytes; /* 0: not said, as in what follows */
    uint64_t agcount, agsize_bytes;
    uint64_t block_size_bytes, sector_size_bytes, log_size_bytes;
    char *log_device, *mountpoint, *label, *uuid; /* NULL: not said */
    bool overwrite, no_discard, full;
    struct target_fact kernel, xfsprogs, cpus;
};
