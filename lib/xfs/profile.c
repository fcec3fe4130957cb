// SPDX-License-Identifier: LGPL-2.1-or-later
// What one release of mkfs.xfs and one kernel do, resolved once from the tables in data/.
#include "xfs/profile.h"

bool xa_mkfs_profile(uint32_t version, struct mkfs_profile *profile)
{
    if (version < PROGS_FIRST || version > PROGS_LAST)
        return false;
    for (unsigned at = 0; at < xa_progs_table_rows; at++) {
        if (xa_progs_table[at].since <= version)
            profile->behaviour[xa_progs_table[at].behaviour] = xa_progs_table[at].value;
    }
    for (unsigned at = 0; at < xa_feature_default_rows; at++) {
        const struct behaviour_row *row = &xa_feature_default_table[at];
        if (row->since <= version)
            profile->feature[row->behaviour] = (signed char)row->value;
    }
    return true;
}

void xa_kernel_profile(uint32_t version, struct kernel_profile *profile)
{
    for (unsigned at = 0; at < xa_kernel_table_rows; at++) {
        if (xa_kernel_table[at].since <= version)
            profile->behaviour[xa_kernel_table[at].behaviour] = xa_kernel_table[at].value;
    }
}
