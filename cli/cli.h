/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the commands of the command line share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "xfsadvise.h"

/* Exit statuses; see README.md. */
enum { EXIT_FINE = 0, EXIT_BLOCKED = 1, EXIT_USAGE = 2, EXIT_MISSING = 3, EXIT_UNREADABLE = 4 };

enum { MKFS_VERSION_MAX = 64 };

/*
 * Asks the installed mkfs.xfs for its version ("6.1.0"), without a shell. False when there is
 * none that answers.
 */
bool cli_mkfs_version(char version[MKFS_VERSION_MAX]);

/* The main job: advice on devices, captures and described storage. Returns the exit status. */
int cmd_advise(int argc, char **argv);

/* Every fact that advice on devices reads, as JSON. Returns the exit status. */
int cmd_capture(int argc, char **argv);
