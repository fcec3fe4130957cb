// SPDX-License-Identifier: LGPL-2.1-or-later
// The main job: reads the options, asks the library, prints its answer.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"

enum option_use { USE_GEOMETRY, USE_REQUEST, USE_TARGET, USE_FORMAT, USE_JSON, USE_STRICT,
                  USE_QUIET, USE_HELP, USE_VERSION };

struct option_row {
    const char *name;
    const char *value; /* what the help calls it; NULL: a switch */
    enum option_use use;
    const char *help;
};

static const struct option_row options[] = {
    {"geometry", "LEVEL:KEY=VALUE,...", USE_GEOMETRY, "the storage, described; see below"},
    {"workload", "NAME", USE_REQUEST,
     "general, streaming, small-files, database, vm-images or backup"},
    {"writers", "N", USE_REQUEST, "programs that write at the same time"},
    {"file-size", "SIZE", USE_REQUEST, "size of the files that are streamed"},
    {"xfsprogs", "VERSION", USE_TARGET, "mkfs.xfs that will run (default: the one found here)"},
    {"kernel", "VERSION", USE_TARGET, "kernel that will mount (default: this one)"},
    {"cpus", "N", USE_TARGET, "CPUs where mkfs.xfs will run (default: these)"},
    {"agcount", "N", USE_REQUEST, "ask for N allocation groups"},
    {"agsize", "SIZE", USE_REQUEST, "ask for allocation groups of this size"},
    {"block-size", "SIZE", USE_REQUEST, "file-system blocks of 1k to 64k (default 4k)"},
    {"sector-size", "SIZE", USE_REQUEST, "sectors of 512 to 32k"},
    {"log-device", "PATH", USE_REQUEST, "put the log on another device"},
    {"log-size", "SIZE", USE_REQUEST, "size of the log"},
    {"mountpoint", "PATH", USE_REQUEST, "where it will be mounted"},
    {"label", "TEXT", USE_REQUEST, "label, at most 12 bytes"},
    {"uuid", "UUID", USE_REQUEST, "UUID of the file system"},
    {"overwrite", NULL, USE_REQUEST, "let mkfs.xfs overwrite what is there (-f)"},
    {"no-discard", NULL, USE_REQUEST, "do not discard the blocks first (-K)"},
    {"full", NULL, USE_REQUEST, "spell out what mkfs.xfs would choose by itself"},
    {"format", "NAME", USE_FORMAT, "shell (default) or json"},
    {"json", NULL, USE_JSON, "the same as --format json"},
    {"strict", NULL, USE_STRICT, "exit with 1 when there is a warning"},
    {"quiet", NULL, USE_QUIET, "no findings on stderr"},
    {"help", NULL, USE_HELP, "this text"},
    {"version", NULL, USE_VERSION, "the version"},
};
enum { OPTIONS = sizeof(options) / sizeof(options[0]) };

struct advise {
    struct xfsa_facts *facts;
    struct xfsa_request *request;
    const char *format;
    bool strict, quiet, described;
    bool target_given[3]; /* xfsprogs, kernel, cpus */
};

static const char *const target_names[] = {"xfsprogs", "kernel", "cpus"};

static int complain(const struct xfsa_error *err, int status)
{
    fprintf(stderr, "xfsadvise: %s: %s\n", err->source, err->text);
    return status;
}

static void print_help(void)
{
    puts("Usage: xfsadvise --geometry LEVEL:KEY=VALUE,... [OPTION]...\n"
         "Says how to make and mount XFS on that storage. Only reads; never writes to a device.\n");
    for (size_t at = 0; at < OPTIONS; at++) {
        char left[40];
        snprintf(left, sizeof(left), "--%s%s%s", options[at].name, options[at].value ? " " : "",
                 options[at].value ? options[at].value : "");
        printf("  %-32s %s\n", left, options[at].help);
    }
    puts("\nLEVEL: raid0 raid1 raid4 raid5 raid6 raid10[n2|f2|o2...] raid50 raid60 linear none\n"
         "KEYs: disks (all legs), chunk, data (in place of disks), legs, size or disk-size,\n"
         "  offset (start of the file system), sector (512, 4096, 512/4096), rotational (0, 1),\n"
         "  layout (md: left-symmetric ...). SIZEs take k m g t p.\n"
         "Exit: 0 lines given, 1 blocked, 2 wrong usage, 3 facts missing, 4 unreadable.");
}

static int set_target(struct advise *advise, const char *name, const char *value,
                      enum xfsa_origin origin)
{
    struct xfsa_error err;
    for (size_t at = 0; at < 3; at++) {
        if (strcmp(target_names[at], name) == 0)
            advise->target_given[at] = true;
    }
    int code = xfsa_request_set_target(advise->request, name, value, origin, &err);
    return code ? complain(&err, EXIT_USAGE) : 0;
}

/* Fills in what was not given from this machine; what cannot be found is left to be assumed. */
static int find_target(struct advise *advise)
{
    char version[MKFS_VERSION_MAX], cpus[24];
    struct utsname host;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (!advise->target_given[0] && cli_mkfs_version(version))
        xfsa_request_set_target(advise->request, "xfsprogs", version, XFSA_ORIGIN_HOST, NULL);
    if (!advise->target_given[1] && uname(&host) == 0)
        xfsa_request_set_target(advise->request, "kernel", host.release, XFSA_ORIGIN_HOST, NULL);
    snprintf(cpus, sizeof(cpus), "%ld", online);
    if (!advise->target_given[2] && online > 0)
        xfsa_request_set_target(advise->request, "cpus", cpus, XFSA_ORIGIN_HOST, NULL);
    return 0;
}

static int use_option(struct advise *advise, const struct option_row *row, const char *value)
{
    struct xfsa_error err;
    switch (row->use) {
    case USE_GEOMETRY:
        advise->described = true;
        return xfsa_facts_describe(advise->facts, value, &err) ? complain(&err, EXIT_USAGE) : 0;
    case USE_REQUEST:
        return xfsa_request_set(advise->request, row->name, value, &err)
                   ? complain(&err, EXIT_USAGE) : 0;
    case USE_TARGET:
        return set_target(advise, row->name, value, XFSA_ORIGIN_USER);
    case USE_FORMAT:
        advise->format = value;
        return 0;
    case USE_JSON:
        advise->format = "json";
        return 0;
    case USE_STRICT:
        advise->strict = true;
        return 0;
    case USE_QUIET:
        advise->quiet = true;
        return 0;
    case USE_HELP:
        print_help();
        return -1;
    case USE_VERSION:
        printf("xfsadvise %s\n", xfsa_version());
        return -1;
    }
    return EXIT_USAGE;
}

/* 0, an exit status, or -1: all is done. */
static int read_options(struct advise *advise, int argc, char **argv)
{
    struct option longs[OPTIONS + 1] = {{0}};
    for (size_t at = 0; at < OPTIONS; at++)
        longs[at] = (struct option){options[at].name,
                                    options[at].value ? required_argument : no_argument, NULL,
                                    1000 + (int)at};
    for (int which; (which = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        if (which < 1000)
            return EXIT_USAGE;
        int code = use_option(advise, &options[which - 1000], optarg);
        if (code)
            return code;
    }
    if (optind < argc) {
        fprintf(stderr, "xfsadvise: unexpected argument: %.60s\n", argv[optind]);
        return EXIT_USAGE;
    }
    if (!advise->described) {
        fputs("xfsadvise: say what storage: --geometry raid6:disks=14,chunk=128k,size=12t "
              "(--help says more)\n", stderr);
        return EXIT_USAGE;
    }
    return 0;
}

static bool wants_colour(const struct advise *advise)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return strcmp(advise->format, "shell") == 0 && isatty(STDOUT_FILENO) &&
           !(no_colour && *no_colour) && !(terminal && strcmp(terminal, "dumb") == 0);
}

static void print_findings(struct xfsa_advice *advice)
{
    struct xfsa_finding finding;
    for (size_t index = 0; index < xfsa_advice_count(advice); index++) {
        for (size_t which = 0; xfsa_advice_finding(advice, index, which, &finding,
                                                   sizeof(finding)) == 0; which++) {
            if (strcmp(finding.severity, "note") != 0)
                fprintf(stderr, "xfsadvise: %s: %s\n", finding.severity, finding.text);
        }
    }
}

static int print_advice(const struct advise *advise, struct xfsa_advice *advice)
{
    struct xfsa_error err;
    char *text = NULL;
    unsigned flags = wants_colour(advise) ? XFSA_RENDER_COLOUR : 0;
    if (xfsa_advice_render(advice, advise->format, flags, &text, &err))
        return complain(&err, err.code == -ENOMEM ? EXIT_UNREADABLE : EXIT_USAGE);
    if (!advise->quiet)
        print_findings(advice);
    int status = xfsa_advice_status(advice, advise->strict);
    if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) {
        fprintf(stderr, "xfsadvise: stdout: %s\n", strerror(errno));
        status = EXIT_UNREADABLE;
    }
    free(text);
    return status;
}

static int run(struct advise *advise, int argc, char **argv)
{
    struct xfsa_error err;
    struct xfsa_advice *advice;
    int code = read_options(advise, argc, argv);
    if (code)
        return code < 0 ? EXIT_FINE : code;
    find_target(advise);
    if (xfsa_advise(advise->facts, advise->request, &advice, &err))
        return complain(&err, EXIT_UNREADABLE);
    code = print_advice(advise, advice);
    xfsa_advice_free(advice);
    return code;
}

int cmd_advise(int argc, char **argv)
{
    struct advise advise = {.format = "shell"};
    int status = EXIT_UNREADABLE;
    if (xfsa_facts_new(&advise.facts) || xfsa_request_new(&advise.request))
        fputs("xfsadvise: out of memory\n", stderr);
    else
        status = run(&advise, argc, argv);
    xfsa_request_free(advise.request);
    xfsa_facts_free(advise.facts);
    return status;
}
