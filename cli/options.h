/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of all commands: one table, one reader. */
#pragma once

#include "cli.h"

/* What the options and arguments of one call say. */
struct cli_call {
    struct xfsa_facts *facts;
    struct xfsa_request *request;
    const char *format;
    const char *from, *sysroot, *log_device; /* NULL: not given */
    bool strict, quiet, all, anonymise, described;
    bool xfsprogs_given;
    char **devices;
    int device_count;
};

enum command { COMMAND_ADVISE = 1, COMMAND_CAPTURE = 2 };

/*
 * Reads the options of a command. Returns 0, an exit status after a complaint, or -1 when --help
 * or --version has been answered.
 */
int cli_read_options(struct cli_call *call, enum command command, int argc, char **argv);

/* Writes err to stderr; returns status. */
int cli_complain(const struct xfsa_error *err, int status);

/*
 * Opens the machine that the call is about and learns from it where lines will run. Returns 0 or
 * an exit status after a complaint.
 */
int cli_open_host(struct cli_call *call, struct xfsa_host **host);

/* Adds the facts of each device asked for; returns as cli_open_host. */
int cli_read_devices(struct cli_call *call, struct xfsa_host *host);

/* Writes a text to stdout; an exit status after a complaint when that fails, else status. */
int cli_print(const char *text, int status);
