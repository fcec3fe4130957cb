// SPDX-License-Identifier: LGPL-2.1-or-later
// The doors to a machine: hostile folders, damaged databases and captures, the recorder, and
// this machine itself. Each allocation fails once, too (malloc and its kin are wrapped by the
// linker).
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"
#include "host/live.h"
#include "host/udev.h"
#include "host/walk.h"
#include "failing.h"
#include "suite.h"

/* ---- A machine in a folder ------------------------------------------------------------ */

static char root[64];
static struct host *host;
static struct buf out;

static const char *in_root(const char *path)
{
    static char whole[512];
    snprintf(whole, sizeof(whole), "%.60s/%.400s", root, path);
    return whole;
}

static void make_folders(const char *path)
{
    char part[256];
    snprintf(part, sizeof(part), "%s", path);
    for (char *slash = strchr(part, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        ck_assert(mkdir(in_root(part), 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

static void put_bytes(const char *path, const char *bytes, size_t length)
{
    make_folders(path);
    FILE *file = fopen(in_root(path), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

static void put(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

static void put_many(const char *path, char byte, size_t count)
{
    char *bytes = malloc(count);
    memset(bytes, byte, count);
    put_bytes(path, bytes, count);
    free(bytes);
}

static void put_link(const char *path, const char *target)
{
    make_folders(path);
    ck_assert_int_eq(symlink(target, in_root(path)), 0);
}

#define MD0_UDEV \
    "S:disk/by-id/md-uuid-6a3b5c1d:22334455:66778899:aabbccdd\n" \
    "S:md/scratch\n" \
    "S:disk/by-id/md-name-filer01:scratch\n" \
    "I:12345678\n" \
    "E:MD_LEVEL=raid6\n" \
    "E:MD_NAME=filer01:scratch\n" \
    "E:MD_UUID=6a3b5c1d:22334455:66778899:aabbccdd\n" \
    "E:ID_FS_TYPE=\n" \
    "G:systemd\nG:accent\nQ:systemd\nV:1\n"

#define SDA_UDEV \
    "S:disk/by-id/ata-ST4000NM0033-9ZM_Z1Z0ABCD\n" \
    "S:disk/by-id/wwn-0x5000c500a1b2c3d4\n" \
    "S:disk/by-path/pci-0000:00:1f.2-ata-1\n" \
    "L:100\nW:17\nI:87654321\n" \
    "E:ID_MODEL=ST4000NM0033-9ZM\n" \
    "E:ID_SERIAL=ST4000NM0033-9ZM_Z1Z0ABCD\n" \
    "E:ID_SERIAL_SHORT=Z1Z0ABCD\n" \
    "E:ID_WWN=0x5000c500a1b2c3d4\n" \
    "E:ID_PATH=pci-0000:00:1f.2-ata-1\n" \
    "E:ID_FS_TYPE=linux_raid_member\nE:ID_FS_USAGE=raid\nE:ID_FS_VERSION=1.2\n" \
    "E:ID_FS_UUID=6a3b5c1d-2233-4455-6677-8899aabbccdd\n" \
    "E:ID_FS_UUID_ENC=6a3b5c1d-2233-4455-6677-8899aabbccdd\n" \
    "E:ID_FS_LABEL=filer01:scratch\n" \
    "E:ID_FS_LABEL_ENC=filer01:scr\\x61tch\\x5c\\x0a\n" \
    "E:ID_PART_TABLE_TYPE=gpt\n" \
    "G:systemd\n"

#define MOUNTS \
    "21 26 0:20 / /proc rw,relatime - proc proc rw\n" \
    "30 1 9:0 / /srv/acme\\040corp rw,noatime shared:1 - xfs /dev/md0 rw,sunit=1024\n" \
    "31 1 253:0 / / rw - ext4 /dev/mapper/vgacme-root rw,errors=remount-ro\n" \
    "32 1 0:99 / /mnt rw - nfs4 nas.acme.example:/vol rw,addr=10.1.2.3\n"

static void put_sysfs(void)
{
    put("sys/devices/virtual/block/md0/uevent",
        "MAJOR=9\nMINOR=0\nDEVNAME=md0\nDEVTYPE=disk\nDISKSEQ=4\n");
    put("sys/devices/virtual/block/md0/dev", "9:0\n");
    put("sys/devices/virtual/block/md0/size", "46881775616\n");
    put_link("sys/class/block/md0", "../../devices/virtual/block/md0");
    put_link("sys/block/md0", "../devices/virtual/block/md0");
    put_link("sys/dev/block/9:0", "../../devices/virtual/block/md0");
    put_link("sys/devices/virtual/block/md0/subsystem", "../../../../class/block");
    put("sys/devices/pci0/block/sda/uevent", "MAJOR=8\nMINOR=0\nDEVNAME=sda\nDEVTYPE=disk\n");
    put("sys/devices/pci0/block/sda/dev", "8:0\n");
    put("sys/devices/pci0/block/sda/device/serial", "Z1Z0ABCD\n");
    put("sys/devices/pci0/block/sda/device/model", "ST4000NM0033-9ZM\n");
    put("sys/devices/pci0/block/sda/device/wwid", "naa.5000c500a1b2c3d4\n");
    put_link("sys/class/block/sda", "../../devices/pci0/block/sda");
    put_link("sys/dev/block/8:0", "../../devices/pci0/block/sda");
    put("sys/class/block/cciss!c0d0/dev", "104:0\n");
    put("sys/class/block/bad/dev", "nine\n");
    put("sys/devices/system/cpu/online", "0-3,6\n");
}

static void setup(void)
{
    snprintf(root, sizeof(root), "%s", "/tmp/test-host-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    put_sysfs();
    put("run/udev/data/b9:0", MD0_UDEV);
    put("run/udev/data/b8:0", SDA_UDEV);
    put("proc/self/mountinfo", MOUNTS);
    put("proc/swaps", "Filename Type Size Used Priority\n/dev/dm-1 partition 9 0 -2\n");
    put("proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
    put_link("dev/disk/by-id/here", "../../md0");
    ck_assert_int_eq(xa_host_sysroot(root, &host, NULL), 0);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

static void teardown(void)
{
    xa_host_free(host);
    host = NULL;
    xa_buf_free(&out);
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void expect(int code, int wanted, const char *text)
{
    ck_assert_int_eq(code, wanted);
    if (wanted)
        ck_assert_uint_eq(out.length, 0);
    else
        ck_assert_str_eq(out.text, text);
}

/* ---- Sysroot -------------------------------------------------------------------------- */

START_TEST(read_text)
{
    put("sys/two", "a\n\n");
    put("sys/empty", "");
    put("sys/bare", "x");
    expect(xa_host_read(host, "sys/block/md0/size", &out), 0, "46881775616");
    expect(xa_host_read(host, "sys/two", &out), 0, "a\n");
    expect(xa_host_read(host, "sys/bare", &out), 0, "x");
    expect(xa_host_read(host, "sys/empty", &out), 0, "");
    expect(xa_host_read(host, "sys/none", &out), -ENOENT, NULL);
    expect(xa_host_read(host, "sys/bare/none", &out), -ENOTDIR, NULL);
    expect(xa_host_read(host, "sys/block", &out), -EISDIR, NULL);
    expect(xa_host_read(host, "/sys/bare", &out), -EINVAL, NULL);
    expect(xa_host_read(host, "", &out), -EINVAL, NULL);
    expect(xa_host_read(host, "sys/\xff", &out), -EINVAL, NULL);
    char name[5000];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    expect(xa_host_read(host, name, &out), -EINVAL, NULL);
}
END_TEST

START_TEST(read_bounded)
{
    put_many("sys/most", 'x', HOST_READ_BYTES);
    put_many("sys/more", 'x', HOST_READ_BYTES + 1);
    put_many("sys/mega", '\n', 1024 * 1024);
    put_many("sys/huge", 'x', HOST_READ_LARGE_BYTES + 1);
    put_bytes("sys/nul", "12\0" "34\n", 6);
    put_bytes("sys/last", "12\0", 3);
    ck_assert_int_eq(xa_host_read(host, "sys/most", &out), 0);
    ck_assert_uint_eq(out.length, HOST_READ_BYTES);
    expect(xa_host_read(host, "sys/more", &out), -EFBIG, NULL);
    expect(xa_host_read(host, "sys/mega", &out), -EFBIG, NULL);
    ck_assert_int_eq(xa_host_read_large(host, "sys/mega", &out), 0);
    ck_assert_uint_eq(out.length, 1024 * 1024 - 1);
    expect(xa_host_read_large(host, "sys/huge", &out), -EFBIG, NULL);
    expect(xa_host_read(host, "sys/nul", &out), -EILSEQ, NULL);
    expect(xa_host_read(host, "sys/last", &out), -EILSEQ, NULL);
}
END_TEST

/* A fifo would block, a device might do anything. */
START_TEST(read_no_file)
{
    ck_assert_int_eq(mkfifo(in_root("sys/fifo"), 0644), 0);
    put_link("sys/to-fifo", "fifo");
    expect(xa_host_read(host, "sys/fifo", &out), -ENXIO, NULL);
    expect(xa_host_read(host, "sys/to-fifo", &out), -ENXIO, NULL);
    if (mknod(in_root("sys/null"), S_IFCHR | 0644, (1 << 8) | 3) == 0)
        expect(xa_host_read(host, "sys/null", &out), -ENXIO, NULL);
}
END_TEST

/* Root may read everything, so this asks as somebody else. */
START_TEST(read_unreadable)
{
    put("sys/secret", "x\n");
    ck_assert_int_eq(chmod(in_root("sys/secret"), 0), 0);
    ck_assert_int_eq(chmod(root, 0755), 0);
    bool is_root = geteuid() == 0;
    if (is_root)
        ck_assert_int_eq(seteuid(65534), 0);
    int secret = xa_host_read(host, "sys/secret", &out);
    int open = xa_host_read(host, "sys/class/block/bad/dev", &out);
    if (is_root)
        ck_assert_int_eq(seteuid(0), 0);
    ck_assert_int_eq(secret, -EACCES);
    expect(open, 0, "nine");
}
END_TEST

static const struct {
    const char *target; /* of the link etc/link */
    int code;
    const char *text;
} escapes[] = {
    {"/etc/inside", 0, "inside"},
    {"../etc/inside", 0, "inside"},
    {"../../../../../../../../etc/inside", 0, "inside"},
    {"/../../etc/inside", 0, "inside"},
    {"./././inside", 0, "inside"},
    {"/etc/../etc//inside", 0, "inside"},
    {"via", 0, "inside"},
    {"/etc/passwd", -ENOENT, NULL},
    {"../../../../../../../../../etc/passwd", -ENOENT, NULL},
    {"/proc/self/mem", -ENOENT, NULL},
    {"link", -ELOOP, NULL},
    {"around", -ELOOP, NULL},
    {"/etc", -EISDIR, NULL},
    {"inside/x", -ENOTDIR, NULL},
};

START_TEST(links_stay_inside)
{
    int fd = open(root, O_RDONLY | O_DIRECTORY);
    struct stat one, other;
    put("etc/inside", "inside\n");
    put_link("etc/via", "/etc/inside");
    put_link("etc/around", "link");
    put_link("etc/link", escapes[_i].target);
    expect(xa_host_read(host, "etc/link", &out), escapes[_i].code, escapes[_i].text);
    int first = xa_walk_open(fd, "etc/link", O_RDONLY);
    int second = xa_walk_open_steps(fd, "etc/link", O_RDONLY);
    if (escapes[_i].text) {
        ck_assert_int_eq(fstat(first, &one) | fstat(second, &other), 0);
        ck_assert_uint_eq(one.st_ino, other.st_ino);
    } else if (escapes[_i].code != -EISDIR) {
        ck_assert_int_eq(first, second);
    }
    close(first);
    close(second);
    close(fd);
    expect(xa_host_link(host, "etc/link", &out), 0, escapes[_i].target);
}
END_TEST

START_TEST(links_and_lists)
{
    put("sys/folder/b", "");
    put("sys/folder/a", "");
    put("sys/folder/C", "");
    put("sys/folder/new\nline", "");
    ck_assert_int_eq(mkdir(in_root("sys/nothing"), 0755), 0);
    expect(xa_host_link(host, "sys/block/md0", &out), 0, "../devices/virtual/block/md0");
    expect(xa_host_link(host, "sys/folder/a", &out), -EINVAL, NULL);
    expect(xa_host_link(host, "sys/none", &out), -ENOENT, NULL);
    expect(xa_host_list(host, "sys/folder", &out), 0, "C\na\nb");
    expect(xa_host_list(host, "sys/nothing", &out), 0, "");
    expect(xa_host_list(host, "sys/none", &out), -ENOENT, NULL);
    expect(xa_host_list(host, "sys/folder/a", &out), -ENOTDIR, NULL);
}
END_TEST

START_TEST(bad_sysroot)
{
    struct host *other = NULL;
    struct xfsa_error err;
    char path[512];
    put("plain", "");
    put("empty/x", "");
    put("hollow/sys/x", "");
    ck_assert_int_eq(unlink(in_root("hollow/sys/x")), 0);
    put_link("out/sys", "../../../../../../../sys");
    const struct {
        const char *folder;
        int code;
    } cases[] = {{"none", -ENOENT}, {"plain", -ENOTDIR}, {"empty", -ENOENT}, {"hollow", -ENOENT},
                 {"out", -ELOOP}};
    for (unsigned at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
        snprintf(path, sizeof(path), "%s", in_root(cases[at].folder));
        ck_assert_int_eq(xa_host_sysroot(path, &other, &err), cases[at].code);
        ck_assert_int_eq(err.code, cases[at].code);
        ck_assert_str_eq(err.source, path);
        ck_assert_ptr_null(other);
    }
    ck_assert_int_eq(xa_host_sysroot(in_root("none"), &other, NULL), -ENOENT);
}
END_TEST

static const struct {
    const char *name;
    int code;
    const char *devno;
} devices[] = {
    {"/dev/md0", 0, "9:0"},
    {"md0", 0, "9:0"},
    {"/dev/disk/by-id/here", 0, "9:0"},
    {"disk/by-id/here", 0, "9:0"},
    {"/dev/disk/by-id/wwn-0x5000c500a1b2c3d4", 0, "8:0"},
    {"/dev/md/scratch", 0, "9:0"},
    {"/dev/cciss/c0d0", 0, "104:0"},
    {"/dev/outside", 0, "8:0"},
    {"/dev/placeholder", -ENOTBLK, NULL},
    {"/dev/sda", 0, "8:0"},
    {"/dev/disk/by-id/none", -ENOENT, NULL},
    {"/dev/none", -ENOENT, NULL},
    {"none", -ENOENT, NULL},
    {"/dev/circle", -ELOOP, NULL},
    {"/proc/swaps", -ENOTBLK, NULL},
    {"/dev", -ENOTBLK, NULL},
    {"/", -ENOTBLK, NULL},
    {"..", -ENOTBLK, NULL},
    {"bad", -EBADMSG, NULL},
    {"", -EINVAL, NULL},
};

START_TEST(device_names)
{
    put_link("dev/outside", "../../../../../../dev/sda");
    put_link("dev/circle", "circle");
    put("dev/placeholder", "");
    put("dev/sda", "");
    expect(xa_host_device(host, devices[_i].name, &out), devices[_i].code, devices[_i].devno);
}
END_TEST

/* Two disks behind one link: the priority decides, as in udev. */
START_TEST(device_priority)
{
    put("run/udev/data/b8:16", "S:disk/by-id/shared\nL:10\n");
    put("run/udev/data/b8:32", "S:disk/by-id/shared\nL:50\n");
    put("run/udev/data/b8:48", "S:disk/by-id/shared\nL:-1\n");
    put("run/udev/data/c8:64", "S:disk/by-id/shared\nL:90\n");
    put("run/udev/data/b8:80", "S:disk/by-id/shared");
    expect(xa_host_device(host, "/dev/disk/by-id/shared", &out), 0, "8:32");
    expect(xa_host_device(host, "/dev/disk/by-id/unknown", &out), -EBADMSG, NULL);
}
END_TEST

START_TEST(udev_properties)
{
    expect(xa_host_udev(host, "9:0", &out), 0,
           "CURRENT_TAGS=:systemd:\n"
           "DEVLINKS=/dev/disk/by-id/md-name-filer01:scratch"
           " /dev/disk/by-id/md-uuid-6a3b5c1d:22334455:66778899:aabbccdd /dev/md/scratch\n"
           "DEVNAME=/dev/md0\nDEVPATH=/devices/virtual/block/md0\nDEVTYPE=disk\nDISKSEQ=4\n"
           "MAJOR=9\nMD_LEVEL=raid6\nMD_NAME=filer01:scratch\n"
           "MD_UUID=6a3b5c1d:22334455:66778899:aabbccdd\nMINOR=0\nSUBSYSTEM=block\n"
           "TAGS=:accent:systemd:\nUSEC_INITIALIZED=12345678");
    expect(xa_host_udev(host, "7:7", &out), -ENOENT, NULL);
    expect(xa_host_udev(host, "../9:0", &out), -EINVAL, NULL);
    expect(xa_host_udev(host, "9:0/", &out), -EINVAL, NULL);
    expect(xa_host_udev(host, "9", &out), -EINVAL, NULL);
    ck_assert_int_eq(unlink(in_root("run/udev/data/b9:0")), 0);
    expect(xa_host_udev(host, "9:0", &out), 0,
           "DEVNAME=/dev/md0\nDEVPATH=/devices/virtual/block/md0\nDEVTYPE=disk\nDISKSEQ=4\n"
           "MAJOR=9\nMINOR=0\nSUBSYSTEM=block");
}
END_TEST

static const char *const damaged[] = {
    "", "\n", "E", "E:ID_MODEL=x", "S:a\nE:ID_MO", "S:a\nE:ID_MODEL\n", "E:=x\n", "I:12x\n",
    "L:\n", "L:high\n", "E=ID:x\n", "S:a\n\nS:b\n", "garbage\n", "\x7f\x45LF\n", "E:\n",
};

START_TEST(udev_damaged)
{
    put("run/udev/data/b9:0", damaged[_i]);
    expect(xa_host_udev(host, "9:0", &out), -EBADMSG, NULL);
    expect(xa_host_signature(host, "9:0", NULL, &out), -EBADMSG, NULL);
    put_bytes("run/udev/data/b9:0", "E:A=b\n\0\0\n", 9);
    expect(xa_host_udev(host, "9:0", &out), -EBADMSG, NULL);
}
END_TEST

/* Cut anywhere but behind a line, the database is refused. */
START_TEST(udev_cut)
{
    for (size_t length = 0; length < strlen(SDA_UDEV); length++) {
        put_bytes("run/udev/data/b8:0", SDA_UDEV, length);
        bool whole = length && SDA_UDEV[length - 1] == '\n';
        ck_assert_int_eq(xa_host_udev(host, "8:0", &out), whole ? 0 : -EBADMSG);
    }
}
END_TEST

START_TEST(signature_of_udev)
{
    expect(xa_host_signature(host, "8:0", NULL, &out), 0,
           "TYPE=linux_raid_member\nUSAGE=raid\nVERSION=1.2\n"
           "LABEL=filer01:scratch\\x5c\\x0a\nUUID=6a3b5c1d-2233-4455-6677-8899aabbccdd\n"
           "PTTYPE=gpt");
    expect(xa_host_signature(host, "9:0", "/dev/md0", &out), 0, "");
    ck_assert_int_eq(unlink(in_root("run/udev/data/b9:0")), 0);
    expect(xa_host_signature(host, "9:0", NULL, &out), -ENODATA, NULL);
    expect(xa_host_signature(host, "7:7", NULL, &out), -ENOENT, NULL);
    put("sys/dev/block/8:1/uevent", "MAJOR=8\nMINOR=1\nDEVNAME=sda1\nDEVTYPE=partition\n");
    put("run/udev/data/b8:1", "E:ID_PART_TABLE_TYPE=gpt\nE:ID_PART_ENTRY_SCHEME=gpt\n");
    expect(xa_host_signature(host, "8:1", NULL, &out), 0, "");
    put("run/udev/data/b8:1", "E:ID_PART_TABLE_TYPE=dos\nE:ID_PART_ENTRY_SCHEME=gpt\n"
                              "E:ID_FS_AMBIVALENT=filesystem:xfs: filesystem:ext4:1.0\n");
    expect(xa_host_signature(host, "8:1", NULL, &out), 0, "PTTYPE=dos\nAMBIVALENT=1");
}
END_TEST

START_TEST(targets)
{
    static const char *const lists[][2] = {
        {"0\n", "1"}, {"0-3,6\n", "5"}, {"0-127", "128"}, {"", NULL}, {"3-1", NULL},
        {"0-", NULL}, {"a", NULL}, {"0,,1", NULL}, {"0-99999999999", NULL}};
    expect(xa_host_target(host, "kernel", &out), 0, "6.1.0-13-amd64");
    expect(xa_host_target(host, "xfsprogs", &out), -ENOENT, NULL);
    expect(xa_host_target(host, "colour", &out), -EINVAL, NULL);
    for (unsigned at = 0; at < sizeof(lists) / sizeof(lists[0]); at++) {
        put("sys/devices/system/cpu/online", lists[at][0]);
        expect(xa_host_target(host, "cpus", &out), lists[at][1] ? 0 : -ENOENT, lists[at][1]);
    }
    ck_assert_int_eq(xa_host_set_target(host, "xfsprogs", "6.1.0"), 0);
    ck_assert_int_eq(xa_host_set_target(host, "xfsprogs", "7.2"), 0);
    ck_assert_int_eq(xa_host_set_target(host, "xfsprogs", ""), -EINVAL);
    ck_assert_int_eq(xa_host_set_target(host, "colour", "1"), -EINVAL);
    expect(xa_host_target(host, "xfsprogs", &out), 0, "7.2");
    ck_assert_int_eq(unlink(in_root("proc/sys/kernel/osrelease")), 0);
    expect(xa_host_target(host, "kernel", &out), -ENOENT, NULL);
}
END_TEST

/* ---- Recorder and capture ------------------------------------------------------------- */

static const struct {
    int (*ask)(struct host *, const char *, struct buf *);
    const char *name;
} questions[] = {
    {xa_host_read, "sys/block/md0/size"},
    {xa_host_read, "sys/none"},
    {xa_host_read, "sys/latin"},
    {xa_host_read, "sys/block"},
    {xa_host_read, "sys/nul"},
    {xa_host_read, "sys/block/sda/device/model"},
    {xa_host_read, "sys/class/block/sda/device/serial"},
    {xa_host_read, "sys/class/block/sda/device/model"},
    {xa_host_read, "sys/class/block/sda/device/wwid"},
    {xa_host_read_large, "proc/self/mountinfo"},
    {xa_host_read_large, "proc/swaps"},
    {xa_host_link, "sys/block/md0"},
    {xa_host_link, "sys/none"},
    {xa_host_list, "sys/class/block"},
    {xa_host_list, "run/udev/data"},
    {xa_host_list, "sys/none"},
    {xa_host_device, "/dev/md0"},
    {xa_host_device, "/dev/disk/by-id/md-name-filer01:scratch"},
    {xa_host_device, "/dev/none"},
    {xa_host_device, "/proc/swaps"},
    {xa_host_udev, "9:0"},
    {xa_host_udev, "8:0"},
    {xa_host_udev, "7:7"},
    {xa_host_target, "kernel"},
    {xa_host_target, "cpus"},
    {xa_host_target, "xfsprogs"},
};

enum { QUESTIONS = sizeof(questions) / sizeof(questions[0]) };

static const char *const asked_for[] = {"/dev/md0", "/dev/disk/by-id/wwn-0x5000c500a1b2c3d4"};

static void put_odd(void)
{
    put("sys/latin", "gr\xfc\xdf\n");
    put_bytes("sys/nul", "1\0", 2);
    put("run/udev/data/b7:7", "E:cut");
}

/*
 * Asks everything; keeps the answers of the first and compares those of the others. Returns 0,
 * the number of the question whose answer differs, counted from 1, or -ENOMEM. (Check's own
 * allocations would fail too, so there are no assertions here.)
 */
static int ask_all(struct host *one, char answers[QUESTIONS + 1][4096], bool compare)
{
    char answer[4096];
    for (unsigned at = 0; at <= QUESTIONS; at++) {
        int code = at < QUESTIONS ? questions[at].ask(one, questions[at].name, &out)
                                  : xa_host_signature(one, "8:0", NULL, &out);
        if (code == -ENOMEM)
            return code;
        snprintf(answer, sizeof(answer), "%d %s", code, code ? "" : out.text);
        if (compare && strcmp(answer, answers[at]) != 0)
            return (int)at + 1;
        memcpy(answers[at], answer, sizeof(answer));
    }
    return 0;
}

static char *record(void)
{
    static char answers[QUESTIONS + 1][4096];
    struct host *recorder = NULL;
    char *json = NULL;
    put_odd();
    ck_assert_int_eq(xa_host_set_target(host, "xfsprogs", "6.1.0"), 0);
    ck_assert_int_eq(ask_all(host, answers, false), 0);
    ck_assert_int_eq(xa_host_recorder(host, &recorder), 0);
    host = recorder;
    ck_assert_int_eq(ask_all(recorder, answers, true), 0);
    ck_assert_int_eq(xa_host_record_json(recorder, asked_for, 2, &json), 0);
    return json;
}

START_TEST(capture_equals_host)
{
    static char answers[QUESTIONS + 1][4096];
    struct host *capture = NULL;
    char *again = NULL;
    char *json = record();
    ck_assert_int_eq(ask_all(host, answers, false), 0);
    put("sys/devices/virtual/block/md0/size", "1\n");
    ck_assert_int_eq(ask_all(host, answers, true), 0); /* one question, one answer */
    ck_assert_int_eq(xa_host_capture(json, strlen(json), "test", &capture, NULL), 0);
    ck_assert_int_eq(ask_all(capture, answers, true), 0);
    ck_assert_ptr_nonnull(strstr(json, "{\n   \"hex\": \"6772fcdf\"\n  }"));
    ck_assert_ptr_nonnull(strstr(json, "\"error\": \"EILSEQ\""));
    expect(xa_host_read(capture, "sys/block/md0/ro", &out), -ENODATA, NULL);
    expect(xa_host_udev(capture, "1:1", &out), -ENODATA, NULL);
    expect(xa_host_read(capture, "/sys", &out), -EINVAL, NULL);
    struct host *recorder = NULL;
    ck_assert_int_eq(xa_host_recorder(capture, &recorder), 0);
    ck_assert_int_eq(ask_all(recorder, answers, true), 0);
    ck_assert_int_eq(xa_host_record_json(recorder, asked_for, 2, &again), 0);
    ck_assert_str_eq(again, json);
    xa_host_free(recorder);
    free(again);
    free(json);
}
END_TEST

START_TEST(capture_devices)
{
    const char *name = NULL, *bad = "/dev/\xff";
    struct host *capture = NULL;
    char *json = record(), *none = NULL;
    ck_assert_int_eq(xa_host_capture(json, strlen(json), "test", &capture, NULL), 0);
    ck_assert_int_eq(xa_host_capture_devices(capture, 1, &name), 0);
    ck_assert_str_eq(name, asked_for[1]);
    ck_assert_int_eq(xa_host_capture_devices(capture, 2, &name), -ENOENT);
    ck_assert_int_eq(xa_host_capture_devices(host, 0, &name), -ENOENT);
    ck_assert_int_eq(xa_host_record_json(capture, NULL, 0, &none), -EINVAL);
    ck_assert_int_eq(xa_host_record_json(host, &bad, 1, &none), -EINVAL);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(xa_host_set_target(capture, "xfsprogs", "5.4"), 0);
    expect(xa_host_target(capture, "xfsprogs", &out), 0, "5.4");
    xa_host_free(capture);
    free(json);
}
END_TEST

static const struct {
    const char *from, *to; /* the edit, once */
    const char *text;      /* what the error says */
} edits[] = {
    {"\"schema\": 1", "\"schema\": 2", "schema 2"},
    {"\"schema\": 1", "\"schema\": \"1\"", "no schema number"},
    {"\"schema\": 1", "\"schemas\": 1", "no schema number"},
    {"\"tool\": \"xfsadvise\"", "\"tool\": \"lsblk\"", "not a capture"},
    {"\"capture\": true", "\"capture\": 1", "not a capture"},
    {"\"version\": \"", "\"vision\": \"", "version"},
    {"\"devices\"", "\"device\"", "JSON"},
    {"\"devices\": [", "\"devices\": [1,", "devices"},
    {"\"kernel\": \"", "\"colonel\": \"", "kernel"},
    {"\"xfsprogs\": \"6.1.0\"", "\"xfsprogs\": 6.1", "xfsprogs"},
    {"\"signature\": {", "\"signatures\": {", "signature"},
    {"\"udev\": {", "\"udev\": [], \"x\": {", "udev"},
    {"\"hex\": \"67", "\"hex\": \"6", "no answer"},
    {"\"hex\": \"67", "\"hex\": \"00", "no answer"},
    {"\"hex\": \"67", "\"hex\": \"G7", "no answer"},
    {"\"hex\": ", "\"hax\": ", "no answer"},
    {"\"error\": \"EILSEQ\"", "\"error\": \"ESHEEP\"", "no answer"},
    {"\"error\": \"EILSEQ\"", "\"error\": 0", "no answer"},
    {"\"error\": \"EILSEQ\"", "\"error\": -2", "no answer"},
    {"\"error\": \"EILSEQ\"", "\"error\": 123456", "no answer"},
    {"\"error\": \"EILSEQ\"", "\"error\": \"EILSEQ\", \"text\": \"x\"", "no answer"},
    {"\"text\": \"46881775616\"", "\"text\": 46881775616", "no answer"},
    {"\"text\": \"46881775616\"", "\"text\": null", "no answer"},
    {"\"text\": \"46881775616\"", "\"text\": \"4\\u0000\"", "JSON"},
    {"\"text\": \"46881775616\"", "\"text\": \"\xff\"", "JSON"},
    {"{\n    \"text\": \"46881775616\"\n   }", "\"46881775616\"", ""},
    {"\"sys/none\"", "\"sys/block/md0\"", "JSON"},
};

START_TEST(capture_edited)
{
    struct host *capture = NULL;
    struct xfsa_error err = {0};
    struct buf edited = {0};
    char *json = record();
    const char *at = strstr(json, edits[_i].from);
    if (!at && !edits[_i].text[0]) { /* depends on the indent */
        free(json);
        return;
    }
    ck_assert_ptr_nonnull(at);
    xa_buf_add(&edited, json, (size_t)(at - json));
    xa_buf_puts(&edited, edits[_i].to);
    xa_buf_puts(&edited, at + strlen(edits[_i].from));
    int code = xa_host_capture(edited.text, edited.length, "cap.json", &capture, &err);
    ck_assert_int_eq(code, -EBADMSG);
    ck_assert_ptr_null(capture);
    ck_assert_str_eq(err.source, "cap.json");
    ck_assert_msg(strstr(err.text, edits[_i].text) != NULL, "%s", err.text);
    ck_assert_int_eq(xa_host_anonymise(edited.text, edited.length, "cap.json", &json, &err),
                     -EBADMSG);
    xa_buf_free(&edited);
    free(json);
}
END_TEST

START_TEST(capture_truncated)
{
    struct host *capture = NULL;
    struct xfsa_error err;
    char *json = record();
    size_t length = strlen(json);
    for (size_t at = 0; at + 1 < length; at += at < length - 300 ? 37 : 1) {
        ck_assert_int_eq(xa_host_capture(json, at, "cap.json", &capture, &err), -EBADMSG);
        ck_assert_str_eq(err.source, "cap.json");
    }
    char *deep = malloc(100000);
    memset(deep, '[', 100000);
    ck_assert_int_eq(xa_host_capture(deep, 100000, "cap.json", &capture, &err), -EBADMSG);
    ck_assert_ptr_null(capture);
    free(deep);
    free(json);
}
END_TEST

/* ---- Anonymous captures --------------------------------------------------------------- */

START_TEST(anonymous)
{
    static const char *const secrets[] = {
        "Z1Z0ABCD", "5000c500a1b2c3d4", "6a3b5c1d", "aabbccdd", "filer01", "scratch", "acme",
        "nas.", "10.1.2.3", "vgacme", "/vol"};
    static const char *const kept[] = {
        "ST4000NM0033-9ZM", "pci-0000:00:1f.2-ata-1", "46881775616", "/dev/md0", "raid6",
        "sunit=1024", "linux_raid_member", "6.1.0-13-amd64", "/dev/mapper/", "DEVNAME=/dev/sda"};
    char *json = record(), *made = NULL, *again = NULL;
    ck_assert_int_eq(xa_host_anonymise(json, strlen(json), "cap.json", &made, NULL), 0);
    ck_assert_int_eq(xa_host_anonymise(json, strlen(json), "cap.json", &again, NULL), 0);
    ck_assert_str_eq(made, again);
    for (unsigned at = 0; at < sizeof(secrets) / sizeof(secrets[0]); at++) {
        ck_assert_msg(strstr(json, secrets[at]) != NULL, "%s", secrets[at]);
        ck_assert_msg(strstr(made, secrets[at]) == NULL, "%s\n%s", secrets[at], made);
    }
    for (unsigned at = 0; at < sizeof(kept) / sizeof(kept[0]); at++)
        ck_assert_msg(strstr(made, kept[at]) != NULL, "%s\n%s", kept[at], made);
    free(again);
    free(made);
    free(json);
}
END_TEST

/* The value of a key in lines of KEY=VALUE. */
static const char *value_of(const char *key)
{
    static char value[256];
    const char *at = strstr(out.text, key);
    ck_assert_ptr_nonnull(at);
    snprintf(value, sizeof(value), "%.*s", (int)strcspn(at + strlen(key), "\n"),
             at + strlen(key));
    return value;
}

START_TEST(anonymous_consistent)
{
    struct host *capture = NULL;
    char *json = record(), *made = NULL, serial[256], wwn[256], uuid[256], name[512];
    const char *device = NULL;
    ck_assert_int_eq(xa_host_anonymise(json, strlen(json), "cap.json", &made, NULL), 0);
    ck_assert_int_eq(xa_host_capture(made, strlen(made), "cap.json", &capture, NULL), 0);
    ck_assert_int_eq(xa_host_udev(capture, "8:0", &out), 0);
    strcpy(serial, value_of("ID_SERIAL_SHORT="));
    strcpy(wwn, value_of("ID_WWN="));
    strcpy(uuid, value_of("ID_FS_UUID="));
    ck_assert_uint_eq(strlen(serial), 8);
    ck_assert_str_eq(value_of("ID_SERIAL_SHORT="), serial);
    ck_assert_uint_eq(strlen(wwn), 18);
    ck_assert_int_eq(strncmp(wwn, "0x00000000000000", 16), 0);
    ck_assert_uint_eq(strspn(uuid, "0123456789-"), 36);
    ck_assert(uuid[8] == '-' && uuid[13] == '-' && uuid[18] == '-' && uuid[23] == '-');
    snprintf(name, sizeof(name), "/dev/disk/by-id/wwn-%s", wwn);
    ck_assert_ptr_nonnull(strstr(out.text, name));
    ck_assert_int_eq(xa_host_capture_devices(capture, 1, &device), 0);
    ck_assert_str_eq(device, name);
    expect(xa_host_read(capture, "sys/class/block/sda/device/serial", &out), 0, serial);
    snprintf(name, sizeof(name), "naa.%s", wwn + 2);
    expect(xa_host_read(capture, "sys/class/block/sda/device/wwid", &out), 0, name);
    /* The array's UUID in md's spelling has the digits of the member's. */
    ck_assert_int_eq(xa_host_udev(capture, "9:0", &out), 0);
    strcpy(name, value_of("MD_UUID="));
    ck_assert_uint_eq(strlen(name), 35);
    ck_assert_str_eq(name + 33, uuid + 34);
    snprintf(name, sizeof(name), "/dev/disk/by-id/md-name-%s", value_of("MD_NAME="));
    expect(xa_host_device(capture, name, &out), 0, "9:0");
    xa_host_free(capture);
    free(made);
    free(json);
}
END_TEST

START_TEST(anonymous_mounts)
{
    struct host *capture = NULL;
    char *json = record(), *made = NULL;
    ck_assert_int_eq(xa_host_anonymise(json, strlen(json), "cap.json", &made, NULL), 0);
    ck_assert_int_eq(xa_host_capture(made, strlen(made), "cap.json", &capture, NULL), 0);
    ck_assert_int_eq(xa_host_read_large(capture, "proc/self/mountinfo", &out), 0);
    ck_assert_ptr_nonnull(strstr(out.text, "21 26 0:20 / /proc rw,relatime - proc proc rw\n"));
    ck_assert_ptr_nonnull(strstr(out.text, "30 1 9:0 / /srv/xxxxx"));
    ck_assert_ptr_nonnull(strstr(out.text, " rw,noatime shared:1 - xfs /dev/md0 rw,sunit=1024\n"));
    ck_assert_ptr_nonnull(strstr(out.text, "31 1 253:0 / / rw - ext4 /dev/mapper/xxxxxx-"));
    ck_assert_ptr_nonnull(strstr(out.text, "32 1 0:99 / /mnt rw - nfs4 xxx.xxxx."));
    xa_host_free(capture);
    free(made);
    free(json);
}
END_TEST

/* ---- This machine --------------------------------------------------------------------- */

/* A block device of this machine: its name, or NULL where there is none. */
static char *some_device(struct host *live, char devno[64])
{
    struct buf names = {0};
    char *found = NULL;
    if (xa_host_list(live, "sys/class/block", &names) == 0) {
        for (char *name = strtok(names.text, "\n"); name; name = strtok(NULL, "\n")) {
            if (xa_host_device(live, name, &out))
                continue;
            snprintf(devno, 64, "%s", out.text);
            found = strdup(name);
            break;
        }
    }
    xa_buf_free(&names);
    return found;
}

START_TEST(live_answers)
{
    struct host *live = NULL;
    ck_assert_int_eq(xa_host_live(&live, NULL), 0);
    ck_assert_int_eq(xa_host_read_large(live, "proc/self/mountinfo", &out), 0);
    ck_assert_ptr_nonnull(strstr(out.text, " / "));
    ck_assert_int_eq(xa_host_read(live, "proc/sys/kernel/osrelease", &out), 0);
    char *release = strdup(out.text);
    expect(xa_host_target(live, "kernel", &out), 0, release);
    free(release);
    ck_assert_int_eq(xa_host_target(live, "cpus", &out), 0);
    ck_assert_int_ge(atoi(out.text), 1);
    expect(xa_host_target(live, "xfsprogs", &out), -ENOENT, NULL);
    expect(xa_host_device(live, "/dev/null", &out), -ENOTBLK, NULL);
    expect(xa_host_device(live, "null", &out), -ENOTBLK, NULL);
    expect(xa_host_device(live, "/proc/self/exe", &out), -ENOTBLK, NULL);
    expect(xa_host_device(live, "..", &out), -ENOTBLK, NULL);
    expect(xa_host_device(live, "/dev/no-such-device", &out), -ENOENT, NULL);
    expect(xa_host_device(live, "no-such-device", &out), -ENOENT, NULL);
    expect(xa_host_udev(live, "4000:4000", &out), -ENOENT, NULL);
    expect(xa_host_read(live, "dev/null", &out), -ENXIO, NULL);
    expect(xa_host_read(live, "sys", &out), -EISDIR, NULL);
    expect(xa_host_read(live, "sys/class", &out), -EISDIR, NULL);
    xa_host_free(live);
}
END_TEST

START_TEST(live_device)
{
    struct host *live = NULL;
    char devno[64], node[300];
    ck_assert_int_eq(xa_host_live(&live, NULL), 0);
    char *name = some_device(live, devno);
    if (name) {
        snprintf(node, sizeof(node), "/dev/%s", name);
        int fd = open(node, O_RDONLY | O_CLOEXEC); /* a container may forbid that, even to root */
        int wanted = fd < 0 ? -errno : 0;
        ck_assert_int_eq(xa_host_signature(live, devno, node, &out), wanted);
        ck_assert_int_eq(xa_host_signature(live, devno, NULL, &out), wanted);
        close(fd);
        ck_assert_int_eq(xa_host_udev(live, devno, &out), 0);
        ck_assert_ptr_nonnull(strstr(out.text, "SUBSYSTEM=block"));
        expect(xa_host_signature(live, devno, "/dev/null", &out), -ENOTBLK, NULL);
        expect(xa_host_signature(live, "4000:4000", node, &out), -ENODEV, NULL);
    }
    free(name);
    xa_host_free(live);
}
END_TEST

/* Our own reader says what libudev says, of every block device. */
START_TEST(live_udev_alike)
{
    struct host *live = NULL, *folder = NULL, *without = NULL;
    struct buf names = {0};
    ck_assert_int_eq(xa_host_live(&live, NULL), 0);
    ck_assert_int_eq(xa_host_live_with("libno.so.1", "libno.so.1", &without, NULL), 0);
    ck_assert_int_eq(xa_host_sysroot("/", &folder, NULL), 0);
    ck_assert_int_eq(xa_host_list(live, "sys/dev/block", &names), 0);
    for (char *devno = strtok(names.text, "\n"); devno; devno = strtok(NULL, "\n")) {
        ck_assert_int_eq(xa_host_udev(live, devno, &out), 0);
        char *said = strdup(out.text);
        expect(xa_host_udev(folder, devno, &out), 0, said);
        expect(xa_host_udev(without, devno, &out), 0, said);
        expect(xa_host_signature(without, devno, NULL, &out), -ELIBACC, NULL);
        free(said);
    }
    xa_buf_free(&names);
    xa_host_free(folder);
    xa_host_free(without);
    xa_host_free(live);
}
END_TEST

START_TEST(library_missing)
{
    struct udev_library *udev = NULL;
    ck_assert_int_eq(xa_udev_open("libno-such-library.so.1", &udev), -ELIBACC);
    ck_assert_int_eq(xa_udev_open("libc.so.6", &udev), -ELIBACC); /* lacks the functions */
    ck_assert_ptr_null(udev);
}
END_TEST

/* ---- Memory --------------------------------------------------------------------------- */

/* jansson's allocations fail but while it parses: it takes that for a mistake in the text. */
static int parse_and_ask(const char *json, char answers[QUESTIONS + 1][4096])
{
    struct host *capture = NULL;
    char *made = NULL;
    json_set_alloc_funcs(__real_malloc, free);
    int code = xa_host_capture(json, strlen(json), "test", &capture, NULL);
    if (!code)
        code = ask_all(capture, answers, true);
    if (!code)
        code = xa_host_anonymise(json, strlen(json), "test", &made, NULL);
    xa_host_free(capture);
    free(made);
    json_set_alloc_funcs(__wrap_malloc, free);
    return code;
}

static int whole_path(char answers[QUESTIONS + 1][4096])
{
    struct host *inner = NULL, *recorder = NULL;
    char *json = NULL;
    int code = xa_host_sysroot(root, &inner, NULL);
    if (!code)
        code = xa_host_set_target(inner, "xfsprogs", "6.1.0");
    if (!code)
        code = xa_host_recorder(inner, &recorder);
    if (code)
        xa_host_free(inner);
    if (!code)
        code = ask_all(recorder, answers, true);
    if (!code)
        code = xa_host_record_json(recorder, asked_for, 2, &json);
    if (!code)
        code = parse_and_ask(json, answers);
    free(json);
    xa_host_free(recorder);
    xa_buf_free(&out);
    return code;
}

START_TEST(each_allocation)
{
    static char answers[QUESTIONS + 1][4096];
    put_odd();
    ck_assert_int_eq(xa_host_set_target(host, "xfsprogs", "6.1.0"), 0);
    ck_assert_int_eq(ask_all(host, answers, false), 0);
    json_set_alloc_funcs(__wrap_malloc, free);
    long failed = 0;
    for (;; failed++) {
        countdown = failed;
        int code = whole_path(answers);
        long left = countdown;
        countdown = -1;
        if (left >= 0) {
            ck_assert_int_eq(code, 0);
            break;
        }
        ck_assert_msg(code == -ENOMEM, "allocation %ld: %d", failed, code);
    }
    ck_assert_int_gt(failed, 100);
}
END_TEST

#define LOOP(test, table) \
    tcase_add_loop_test(tests, test, 0, sizeof(table) / sizeof((table)[0]))

int main(void)
{
    Suite *suite = suite_create("host");
    TCase *tests = tcase_create("host");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, read_text);
    tcase_add_test(tests, read_bounded);
    tcase_add_test(tests, read_no_file);
    tcase_add_test(tests, read_unreadable);
    LOOP(links_stay_inside, escapes);
    tcase_add_test(tests, links_and_lists);
    tcase_add_test(tests, bad_sysroot);
    LOOP(device_names, devices);
    tcase_add_test(tests, device_priority);
    tcase_add_test(tests, udev_properties);
    LOOP(udev_damaged, damaged);
    tcase_add_test(tests, udev_cut);
    tcase_add_test(tests, signature_of_udev);
    tcase_add_test(tests, targets);
    tcase_add_test(tests, capture_equals_host);
    tcase_add_test(tests, capture_devices);
    LOOP(capture_edited, edits);
    tcase_add_test(tests, capture_truncated);
    tcase_add_test(tests, anonymous);
    tcase_add_test(tests, anonymous_consistent);
    tcase_add_test(tests, anonymous_mounts);
    tcase_add_test(tests, live_answers);
    tcase_add_test(tests, live_device);
    tcase_add_test(tests, live_udev_alike);
    tcase_add_test(tests, library_missing);
    tcase_add_test(tests, each_allocation);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
