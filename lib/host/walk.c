// SPDX-License-Identifier: LGPL-2.1-or-later
// Opens paths in a folder as if it were the root: no link leads out of it.
#include "host/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/door.h"
#include "host/file.h"

enum { MOST_LINKS = 40, PATH_BYTES = 4096 };

/* The way that is left to go, and the way so far, in which there is no link. */
struct walk {
    int root;
    bool follow; /* the last component */
    unsigned links;
    struct buf *done;
    struct buf left;
};

static void step_back(struct buf *done)
{
    while (done->length && done->text[--done->length] != '/')
        ;
    if (done->text)
        done->text[done->length] = '\0';
}

/* Goes on where the link leads; rest is what stands behind it. */
static int follow_link(struct walk *walk, const struct buf *target, const char *rest)
{
    struct buf left = {0};
    if (++walk->links > MOST_LINKS)
        return -ELOOP;
    step_back(walk->done);
    if (target->text[0] == '/')
        xa_buf_clear(walk->done);
    xa_buf_puts(&left, target->text);
    xa_buf_puts(&left, "/");
    xa_buf_puts(&left, rest);
    xa_buf_free(&walk->left);
    walk->left = left;
    if (left.failed)
        return -ENOMEM;
    return left.length < PATH_BYTES ? 0 : -ENAMETOOLONG;
}

/* Takes the component in which the way so far ends; rest is what stands behind it. */
static int step_into(struct walk *walk, size_t taken)
{
    struct buf target = {0};
    const char *rest = walk->left.text + taken;
    bool last = rest[strspn(rest, "/")] == '\0';
    int code = last && !walk->follow ? -EINVAL
                                     : xa_file_link(walk->root, walk->done->text, &target);
    if (!code) {
        code = follow_link(walk, &target, rest);
    } else if (code == -EINVAL || (code == -ENOENT && last)) {
        memmove(walk->left.text, rest, strlen(rest) + 1);
        code = 0;
    }
    xa_buf_free(&target);
    return code;
}

static int step(struct walk *walk)
{
    const char *component = walk->left.text + strspn(walk->left.text, "/");
    size_t length = strcspn(component, "/");
    size_t taken = (size_t)(component - walk->left.text) + length;
    bool stays = length == 0 || (length == 1 && component[0] == '.');
    bool back = length == 2 && memcmp(component, "..", 2) == 0;
    if (stays || back) {
        if (back)
            step_back(walk->done);
        memmove(walk->left.text, component + length, strlen(component + length) + 1);
        return 0;
    }
    if (walk->done->length)
        xa_buf_add(walk->done, "/", 1);
    xa_buf_add(walk->done, component, length);
    if (walk->done->failed)
        return -ENOMEM;
    return step_into(walk, taken);
}

int xa_walk_resolve(int root, const char *path, bool follow, struct buf *out)
{
    struct walk walk = {.root = root, .follow = follow, .done = out};
    xa_buf_clear(out);
    xa_buf_add(out, "", 0);
    xa_buf_puts(&walk.left, path);
    int code = out->failed || walk.left.failed ? -ENOMEM : 0;
    while (!code && walk.left.length && walk.left.text[0])
        code = step(&walk);
    xa_buf_free(&walk.left);
    return code;
}

int xa_walk_open_steps(int root, const char *path, int flags)
{
    struct buf plain = {0};
    int code = xa_walk_resolve(root, path, !(flags & O_NOFOLLOW), &plain);
    if (!code) {
        code = openat(root, plain.length ? plain.text : ".", flags | O_NOFOLLOW | O_CLOEXEC);
        if (code < 0)
            code = -errno;
    }
    xa_buf_free(&plain);
    return code;
}

int xa_walk_open(int root, const char *path, int flags)
{
#ifdef SYS_openat2
    const struct open_how how = {.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
                                 .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    long fd = syscall(SYS_openat2, root, path, &how, sizeof(how));
    if (fd >= 0)
        return (int)fd;
    /* EPERM: what filters in containers say of calls that they do not know. EAGAIN: something was
       mounted or renamed meanwhile, so the kernel cannot vouch for "..". */
    if (errno != ENOSYS && errno != EPERM && errno != EAGAIN)
        return -errno;
#endif
    return xa_walk_open_steps(root, path, flags);
}
