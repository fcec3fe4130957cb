// SPDX-License-Identifier: LGPL-2.1-or-later
// Asks each block device's udev properties twice: of libudev, and of the library's own reader of
// udev's database. Both have to say the same. Writes TAP. Run as root where udev runs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

/* TAP's comment: each line of text behind its title. */
static void explain(const char *title, int code, char *text)
{
    printf("# %s: status %d\n", title, code);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        printf("#   %s\n", line);
}

static int compare(struct host *live, struct host *sysroot, const char *devno, unsigned number)
{
    struct buf ours = {0}, theirs = {0};
    int code = xa_host_udev(sysroot, devno, &ours);
    int expected = xa_host_udev(live, devno, &theirs);
    char *one = strdup(ours.text ? ours.text : ""), *two = strdup(theirs.text ? theirs.text : "");
    int wrong = !one || !two || code != expected || strcmp(one, two) != 0;
    printf("%s %u - %s: udev's database as libudev reads it\n", wrong ? "not ok" : "ok", number,
           devno);
    if (wrong && one && two) {
        explain("expected, libudev", expected, two);
        explain("got", code, one);
    }
    free(one);
    free(two);
    xa_buf_free(&ours);
    xa_buf_free(&theirs);
    return wrong;
}

int main(void)
{
    struct host *live = NULL, *sysroot = NULL;
    struct xfsa_error err;
    struct buf devices = {0};
    unsigned number = 0;
    int failed = 0;
    if (xa_host_live(&live, &err) || xa_host_sysroot("/", &sysroot, &err)) {
        fprintf(stderr, "udev-compare: %s: %s\n", err.source, err.text);
        return 2;
    }
    if (xa_host_list(live, "sys/dev/block", &devices) || !devices.length) {
        fprintf(stderr, "udev-compare: no list of block devices\n");
        return 2;
    }
    char *rest = devices.text;
    for (char *devno = strsep(&rest, "\n"); devno; devno = strsep(&rest, "\n"))
        failed |= compare(live, sysroot, devno, ++number);
    failed |= compare(live, sysroot, "259:4095", ++number);
    printf("1..%u\n", number);
    xa_buf_free(&devices);
    xa_host_free(live);
    xa_host_free(sysroot);
    return failed;
}
