// SPDX-License-Identifier: LGPL-2.1-or-later
// xfsadvise, the command line of libxfsadvise.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"capture", cmd_capture},
};

static int run(int argc, char **argv)
{
    for (size_t at = 0; argc > 1 && at < sizeof(commands) / sizeof(commands[0]); at++) {
        if (strcmp(argv[1], commands[at].name) == 0)
            return commands[at].run(argc - 1, argv + 1);
    }
    return cmd_advise(argc, argv);
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    if (fclose(stdout) == EOF && status == EXIT_FINE) {
        fprintf(stderr, "xfsadvise: stdout: %s\n", strerror(errno));
        status = EXIT_UNREADABLE;
    }
    return status;
}
