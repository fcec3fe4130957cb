// SPDX-License-Identifier: LGPL-2.1-or-later
// The options of all commands: one table, one reader, one help text.
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum option_use { USE_GEOMETRY, USE_REQUEST, USE_TARGET, USE_FORMAT, USE_JSON, USE_STRICT,
                  USE_QUIET, USE_FROM, USE_SYSROOT, USE_ALL, USE_ANONYMISE, USE_HELP,
                  USE_VERSION };
enum { ADVISE = COMMAND_ADVISE, CAPTURE = COMMAND_CAPTURE, BOTH = ADVISE | CAPTURE };

struct option_row {
    const char *name;
    const char *value; /* what the help calls it; NULL: a switch */
    enum option_use use;
    unsigned commands;
    const char *help;
};

static const struct option_row options[] = {
    {"geometry", "TEXT", USE_GEOMETRY, ADVISE, "the storage, described; see below"},
    {"from", "FILE", USE_FROM, ADVISE, "a capture, from this or another machine; - is stdin"},
    {"sysroot", "DIR", USE_SYSROOT, BOTH, "a folder with another machine's sys/, proc/, run/"},
    {"all", NULL, USE_ALL, CAPTURE, "every block device"},
    {"anonymise", NULL, USE_ANONYMISE, CAPTURE, "replace serials, UUIDs, labels and names"},
    {"workload", "NAME", USE_REQUEST, ADVISE,
     "general streaming small-files database vm-images backup"},
    {"writers", "N", USE_REQUEST, ADVISE, "programs that write at the same time"},
    {"file-size", "SIZE", USE_REQUEST, ADVISE, "size of the files that are streamed"},
    {"xfsprogs", "VERSION", USE_TARGET, BOTH, "mkfs.xfs that will run (default: the one found)"},
    {"kernel", "VERSION", USE_TARGET, ADVISE, "kernel that will mount (default: this one)"},
    {"cpus", "N", USE_TARGET, ADVISE, "CPUs where mkfs.xfs will run (default: these)"},
    {"agcount", "N", USE_REQUEST, ADVISE, "ask for N allocation groups"},
    {"agsize", "SIZE", USE_REQUEST, ADVISE, "ask for allocation groups of this size"},
    {"block-size", "SIZE", USE_REQUEST, ADVISE, "file-system blocks of 1k to 64k (default 4k)"},
    {"sector-size", "SIZE", USE_REQUEST, ADVISE, "sectors of 512 to 32k"},
    {"log-device", "PATH", USE_REQUEST, BOTH, "put the log on another device"},
    {"log-size", "SIZE", USE_REQUEST, ADVISE, "size of the log"},
    {"mountpoint", "PATH", USE_REQUEST, ADVISE, "where it will be mounted"},
    {"label", "TEXT", USE_REQUEST, ADVISE, "label, at most 12 bytes"},
    {"uuid", "UUID", USE_REQUEST, ADVISE, "UUID of the file system"},
    {"overwrite", NULL, USE_REQUEST, ADVISE, "let mkfs.xfs overwrite what is there (-f)"},
    {"no-discard", NULL, USE_REQUEST, ADVISE, "do not discard the blocks first (-K)"},
    {"full", NULL, USE_REQUEST, ADVISE, "spell out what mkfs.xfs would choose by itself"},
    {"format", "NAME", USE_FORMAT, ADVISE, "shell (default), json, fstab, udev or table"},
    {"json", NULL, USE_JSON, ADVISE, "the same as --format json"},
    {"strict", NULL, USE_STRICT, ADVISE, "exit with 1 when there is a warning"},
    {"quiet", NULL, USE_QUIET, ADVISE, "no findings on stderr"},
    {"help", NULL, USE_HELP, BOTH, "this text"},
    {"version", NULL, USE_VERSION, BOTH, "the version"},
};
enum { OPTIONS = sizeof(options) / sizeof(options[0]) };

int cli_complain(const struct xfsa_error *err, int status)
{
    fprintf(stderr, "xfsadvise: %s: %s\n", err->source, err->text);
    return status;
}

static void print_help(void)
{
    puts("Usage: xfsadvise DEVICE...            how to make and mount XFS on it\n"
         "       xfsadvise --geometry LEVEL:KEY=VALUE,...    on storage that is described\n"
         "       xfsadvise --from FILE          on what a capture holds\n"
         "       xfsadvise capture DEVICE...    every fact that was read, as JSON\n"
         "Only reads; never writes to a device.\n");
    for (size_t at = 0; at < OPTIONS; at++) {
        char left[40];
        snprintf(left, sizeof(left), "--%s%s%s", options[at].name, options[at].value ? " " : "",
                 options[at].value ? options[at].value : "");
        printf("  %-19s %s\n", left, options[at].help);
    }
    puts("\nLEVEL: raid0 raid1 raid4 raid5 raid6 raid10[n2|f2|o2...] raid50 raid60 linear\n"
         "  none. KEYs: disks (all legs), chunk, data (in place of disks), legs, size or\n"
         "  disk-size, offset (start of the file system), sector (512, 4096, 512/4096),\n"
         "  rotational (0, 1), layout (md: left-symmetric ...). SIZEs take k m g t p.\n"
         "Exit: 0 lines given, 1 blocked, 2 wrong usage, 3 facts missing, 4 unreadable.");
}

static int use_target(struct cli_call *call, const char *name, const char *value)
{
    struct xfsa_error err;
    call->xfsprogs_given |= strcmp(name, "xfsprogs") == 0;
    return xfsa_request_set_target(call->request, name, value, XFSA_ORIGIN_USER, &err)
               ? cli_complain(&err, EXIT_USAGE) : 0;
}

static int use_option(struct cli_call *call, const struct option_row *row, const char *value)
{
    struct xfsa_error err;
    switch (row->use) {
    case USE_GEOMETRY:
        call->described = true;
        return xfsa_facts_describe(call->facts, value, &err) ? cli_complain(&err, EXIT_USAGE) : 0;
    case USE_REQUEST:
        if (strcmp(row->name, "log-device") == 0)
            call->log_device = value;
        return xfsa_request_set(call->request, row->name, value, &err)
                   ? cli_complain(&err, EXIT_USAGE) : 0;
    case USE_TARGET:
        return use_target(call, row->name, value);
    case USE_FORMAT:
    case USE_JSON:
        call->format = value ? value : "json";
        return 0;
    case USE_FROM:
        call->from = value;
        return 0;
    case USE_SYSROOT:
        call->sysroot = value;
        return 0;
    case USE_STRICT:
        call->strict = true;
        return 0;
    case USE_QUIET:
        call->quiet = true;
        return 0;
    case USE_ALL:
        call->all = true;
        return 0;
    case USE_ANONYMISE:
        call->anonymise = true;
        return 0;
    case USE_HELP:
        print_help();
        break;
    case USE_VERSION:
        printf("xfsadvise %s\n", xfsa_version());
    }
    return -1;
}

static int check_call(const struct cli_call *call, enum command command)
{
    const char *wrong = NULL;
    if (call->from && call->sysroot)
        wrong = "--from and --sysroot exclude each other";
    else if (!call->device_count && !call->described && !call->from && !call->all)
        wrong = command == COMMAND_CAPTURE
                    ? "say which devices, or --all"
                    : "say what storage: a device, or "
                      "--geometry raid6:disks=14,chunk=128k,size=12t (--help says more)";
    else if (call->all && call->device_count)
        wrong = "--all and devices exclude each other";
    if (!wrong)
        return 0;
    fprintf(stderr, "xfsadvise: %s\n", wrong);
    return EXIT_USAGE;
}

/* The option as it was written, without bytes that would disturb a terminal. */
static int refuse_option(int which, const char *written)
{
    char shown[60];
    snprintf(shown, sizeof(shown), "%s", written ? written : "");
    for (char *at = shown; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
    }
    fprintf(stderr, "xfsadvise: %s: %s\n", shown,
            which == ':' ? "the option needs a value" : "no such option, or not with a value");
    return EXIT_USAGE;
}

int cli_read_options(struct cli_call *call, enum command command, int argc, char **argv)
{
    struct option longs[OPTIONS + 1] = {{0}};
    size_t count = 0;
    for (size_t at = 0; at < OPTIONS; at++) {
        if (options[at].commands & command)
            longs[count++] = (struct option){options[at].name,
                                             options[at].value ? required_argument : no_argument,
                                             NULL, 1000 + (int)at};
    }
    for (int which; (which = getopt_long(argc, argv, ":", longs, NULL)) != -1;) {
        if (which < 1000)
            return refuse_option(which, argv[optind - 1]);
        int code = use_option(call, &options[which - 1000], optarg);
        if (code)
            return code;
    }
    call->devices = argv + optind;
    call->device_count = argc - optind;
    return check_call(call, command);
}
