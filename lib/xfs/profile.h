/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What one release of mkfs.xfs and one kernel do, resolved once from data/xfsprogs.json,
 * data/features.json and data/kernels.json. The model asks the profile, never a version.
 */
#pragma once

#include "base/tables.h"

struct mkfs_profile {
    int behaviour[PROGS_ROWS];
    signed char feature[FEATURE_ROWS]; /* default 0 or 1; -1: this release has no such option */
};

struct kernel_profile {
    int behaviour[KERNEL_ROWS];
};

/* Versions are packed as in text.h. False: the release is outside the known range. */
bool xa_mkfs_profile(uint32_t version, struct mkfs_profile *profile);
void xa_kernel_profile(uint32_t version, struct kernel_profile *profile);
