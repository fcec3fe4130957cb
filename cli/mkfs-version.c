// SPDX-License-Identifier: LGPL-2.1-or-later
// Asks the installed mkfs.xfs for its version. Starts it without a shell and reads one line.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

enum { PATIENCE_MS = 3000 };

/* A user's PATH often leaves out the folders of the administrator. */
static const char *const places[] = {"mkfs.xfs", "/usr/sbin/mkfs.xfs", "/sbin/mkfs.xfs"};

static int spawn(const char *program, int output, pid_t *child)
{
    static char *const environment[] = {"LC_ALL=C", NULL};
    char *const argv[] = {"mkfs.xfs", "-V", NULL};
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code)
        return code;
    code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!code)
        code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!code)
        code = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!code)
        code = posix_spawnp(child, program, &actions, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Waits for more to read; false when the program keeps silent for too long. */
static bool more_comes(int input)
{
    struct pollfd wait = {.fd = input, .events = POLLIN};
    int ready;
    do {
        ready = poll(&wait, 1, PATIENCE_MS);
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static bool read_version(int input, char version[MKFS_VERSION_MAX])
{
    static const char start[] = "mkfs.xfs version ";
    char text[128] = "";
    size_t length = 0;
    while (length < sizeof(text) - 1 && more_comes(input)) {
        ssize_t got = read(input, text + length, sizeof(text) - 1 - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    text[length] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (strncmp(text, start, sizeof(start) - 1) != 0)
        return false;
    int size = snprintf(version, MKFS_VERSION_MAX, "%s", text + sizeof(start) - 1);
    return size > 0 && size < MKFS_VERSION_MAX;
}

bool cli_mkfs_version(char version[MKFS_VERSION_MAX])
{
    int ends[2];
    pid_t child = -1;
    int status = 0, code = ENOENT;
    if (pipe2(ends, O_CLOEXEC))
        return false;
    for (size_t at = 0; code == ENOENT && at < sizeof(places) / sizeof(places[0]); at++)
        code = spawn(places[at], ends[1], &child);
    close(ends[1]);
    bool found = code == 0 && read_version(ends[0], version);
    close(ends[0]);
    if (code == 0)
        kill(child, SIGKILL); /* it has said all, or hangs */
    while (code == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return found;
}
