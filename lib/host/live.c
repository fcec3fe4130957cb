// SPDX-License-Identifier: LGPL-2.1-or-later
// The door to this machine. Loads libudev and libblkid when they are first asked; opens nothing
// for writing.
#include "host/live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "host/door.h"
#include "host/file.h"
#include "host/signature.h"
#include "host/udev.h"

struct live {
    struct host host; /* first */
    int root;
    const char *libudev, *libblkid;
    struct udev_library *udev; /* NULL until asked */
    struct blkid_library *blkid;
};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static int open_read(const struct live *live, const char *path, int flags)
{
    int fd = openat(live->root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    return fd < 0 ? -errno : fd;
}

static int answer_read(struct live *live, const struct question *question, struct buf *out)
{
    bool sysfs = starts_with(question->name, "sys/");
    int fd = open_read(live, question->name, 0);
    if (fd < 0)
        return fd;
    /* What the kernel shows is text; elsewhere there may be anything. */
    int code = sysfs || starts_with(question->name, "proc/") ? 0 : xa_file_regular(fd);
    if (!code)
        code = xa_file_text(fd, question->limit_bytes, question->raw, sysfs, out);
    close(fd);
    return code;
}

static int answer_link(struct live *live, const struct question *question, struct buf *out)
{
    return xa_file_link(live->root, question->name, out);
}

static int answer_list(struct live *live, const struct question *question, struct buf *out)
{
    int fd = open_read(live, question->name, O_DIRECTORY);
    return fd < 0 ? fd : xa_file_names(fd, question->limit_bytes, out);
}

/* The node's number; the path is as a person gives it, or relative to base. */
static int node_number(int base, const char *path, struct buf *out)
{
    struct stat st;
    if (fstatat(base, path, &st, 0))
        return -errno;
    if (!S_ISBLK(st.st_mode))
        return -ENOTBLK;
    xa_buf_printf(out, "%u:%u", major(st.st_rdev), minor(st.st_rdev));
    return 0;
}

static int answer_device(struct live *live, const struct question *question, struct buf *out)
{
    if (strchr(question->name, '/'))
        return node_number(AT_FDCWD, question->name, out);
    struct buf path = {0};
    xa_buf_printf(&path, "dev/%s", question->name);
    int code = path.failed ? -ENOMEM : node_number(live->root, path.text, out);
    xa_buf_free(&path);
    return code == -ENOENT ? xa_sysfs_devno(&live->host, question->name, out) : code;
}

/* By our own reader, which gives what libudev gives at a tenth of its cost (tests/vm compares
   them); libudev is loaded where the database has a form that we do not know. */
static int answer_udev(struct live *live, const struct question *question, struct buf *out)
{
    struct properties set = {0};
    int code = xa_udev_database(&live->host, question->name, &set, NULL);
    if (code == -EBADMSG) {
        xa_properties_free(&set);
        set = (struct properties){0};
        code = live->udev ? 0 : xa_udev_open(live->libudev, &live->udev);
        if (!code)
            code = xa_udev_properties(live->udev, question->name, &set);
        else if (code == -ELIBACC)
            code = -EBADMSG;
    }
    if (!code)
        code = xa_properties_write(&set, out);
    xa_properties_free(&set);
    return code;
}

/* Where the kernel says that the node is, for those who do not know. */
static int find_node(struct live *live, const char *devno, struct buf *out)
{
    struct properties set = {0};
    int code = xa_udev_database(&live->host, devno, &set, NULL);
    const char *name = code ? NULL : xa_properties_get(&set, "DEVNAME");
    if (!code && !name)
        code = -ENOENT;
    if (!code)
        xa_buf_puts(out, name);
    xa_properties_free(&set);
    return out->failed ? -ENOMEM : code;
}

/* Opens the node if it is that device. */
static int open_node(const char *node, const char *devno)
{
    struct buf number = {0};
    int code = node_number(AT_FDCWD, node, &number);
    if (!code && number.failed)
        code = -ENOMEM;
    if (!code && strcmp(number.text, devno) != 0)
        code = -ENODEV;
    int fd = code ? -1 : open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (!code && fd < 0)
        code = -errno;
    xa_buf_free(&number);
    return code ? code : fd;
}

static int answer_signature(struct live *live, const struct question *question, struct buf *out)
{
    struct buf node = {0};
    int code = live->blkid ? 0 : xa_blkid_open(live->libblkid, &live->blkid);
    if (!code && !question->node)
        code = find_node(live, question->name, &node);
    int fd = code ? code : open_node(question->node ? question->node : node.text, question->name);
    xa_buf_free(&node);
    if (fd < 0)
        return fd;
    code = xa_blkid_probe(live->blkid, fd, out);
    close(fd);
    return code;
}

static int answer_target(struct live *live, const struct question *question, struct buf *out)
{
    struct utsname name;
    (void)live;
    if (strcmp(question->name, xa_target_names[TARGET_KERNEL]) == 0) {
        if (uname(&name))
            return -errno;
        xa_buf_puts(out, name.release);
        return 0;
    }
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (strcmp(question->name, xa_target_names[TARGET_CPUS]) != 0 || cpus < 1)
        return -ENOENT;
    xa_buf_printf(out, "%ld", cpus);
    return 0;
}

static int live_ask(struct host *host, const struct question *question, struct buf *out)
{
    static int (*const answers[QUESTION_KINDS])(struct live *, const struct question *,
                                                struct buf *) = {
        [QUESTION_READ] = answer_read,     [QUESTION_LINK] = answer_link,
        [QUESTION_LIST] = answer_list,     [QUESTION_DEVICE] = answer_device,
        [QUESTION_UDEV] = answer_udev,     [QUESTION_SIGNATURE] = answer_signature,
        [QUESTION_TARGET] = answer_target,
    };
    return answers[question->kind]((struct live *)host, question, out);
}

static void live_close(struct host *host)
{
    struct live *live = (struct live *)host;
    xa_udev_close(live->udev);
    xa_blkid_close(live->blkid);
    close(live->root);
    free(live);
}

static const struct door live_door = {live_ask, live_close};

int xa_host_live_with(const char *libudev, const char *libblkid, struct host **out,
                      struct xfsa_error *err)
{
    struct live *live = calloc(1, sizeof(*live));
    if (!live)
        return xa_fail_memory(err, "host");
    live->host.door = &live_door;
    live->libudev = libudev;
    live->libblkid = libblkid;
    live->root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (live->root < 0) {
        int code = -errno;
        free(live);
        return xa_fail(err, code, "/", "cannot be opened: %s", strerror(-code));
    }
    *out = &live->host;
    return 0;
}

int xa_host_live(struct host **out, struct xfsa_error *err)
{
    return xa_host_live_with("libudev.so.1", "libblkid.so.1", out, err);
}
