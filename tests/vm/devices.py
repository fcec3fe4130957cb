#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""In a guest with udev and the disks of SETS (see run, which makes them): I/O hints of each kind
of disk, guards, stacks that are not resolved, udev's database, names that are no device, and
proof that nothing is opened for writing. Writes TAP. Usage: devices.py CLI UDEV-COMPARE | --disks
The second form prints the arguments of guest that make the disks."""
import glob
import json
import os
import re
import shutil
import sys

import bed as vm

STRIPE, UNIT, BOGUS = (65536, 393216), (262144, 262144), 33553920
LIMITS = "min_io_size={},opt_io_size={}"
MR9361 = "vendor=AVAGO,product=MR9361-8i,"
# name, disks for guest; expected: exit status, geometry, findings, options of mkfs.xfs (or None)
STRIPED = {"known": True, "striped": True, "stripe_unit": 65536, "data_disks": 6,
           "stripe_width": 393216, "confidence": "hint"}
FLAT = {"known": True, "striped": False, "stripe_unit": None, "stripe_width": None}
UNKNOWN = {"known": False, "missing": ["data disks"], "data_disks": None, "stripe_width": None}
SETS = [
    ("plain", "3", 0, FLAT, [], []),
    ("virtio, a stripe as hint", "1," + LIMITS.format(*STRIPE), 0, STRIPED, [], None),
    ("virtio, one unit as hint", "1," + LIMITS.format(*UNIT), 0, FLAT, ["hint-one-unit"], []),
    ("virtio, a bogus hint", f"1,opt_io_size={BOGUS}", 0, FLAT, ["hint-implausible"], None),
    ("virtio, sectors of 4096", "1,logical_block_size=4096,physical_block_size=4096", 0,
     dict(FLAT, sector_logical=4096, sector_physical=4096), [], []),
    ("virtio, sectors of 512 on 4096", "1,logical_block_size=512,physical_block_size=4096", 0,
     dict(FLAT, sector_logical=512, sector_physical=4096), [], []),
    ("MR9361-8i, one unit as hint", f"1,bus=scsi,{MR9361}" + LIMITS.format(*UNIT), 3, UNKNOWN,
     ["facts-missing"], None),
    ("MR9361-8i, a stripe as hint", f"1,bus=scsi,{MR9361}" + LIMITS.format(*STRIPE), 0, STRIPED,
     [], None),
    ("MR9361-8i, a bogus hint", f"1,bus=scsi,{MR9361}opt_io_size={BOGUS}", 3,
     {"known": False, "stripe_width": None}, ["facts-missing"], None),
    ("USB, a bogus hint", f"1,bus=uas,opt_io_size={BOGUS}", 0, FLAT, ["hint-"], None),
    ("USB, a stripe as hint", "1,bus=uas," + LIMITS.format(*STRIPE), 0, FLAT, ["hint-ignored"],
     ["-d", "noalign"]),
    ("NVMe", "1,bus=nvme", 0, FLAT, [], None),
]
# name, parameters of scsi_debug; expected: exit status, geometry, findings
SCSI_DEBUG = [
    ("a stripe as hint", "opt_xferlen_exp=7 opt_blks=512 virtual_gb=8", 0,
     {"known": True, "striped": True, "stripe_unit": 65536, "data_disks": 4}, []),
    ("its own hints", "virtual_gb=8", 0, FLAT, ["hint-implausible"]),
    ("a hint that the kernel drops", "opt_blks=65535 virtual_gb=8", 0, FLAT, []),
    ("sectors of 4096", "sector_size=4096 dev_size_mb=400 opt_blks=0", 0,
     dict(FLAT, sector_logical=4096), []),
    ("starts inside a physical sector", "physblk_exp=3 lowest_aligned=7 dev_size_mb=400", 1,
     {"known": True}, ["mkfs-refuses"]),
    ("a MegaRAID without a hint of its disks",
     "inq_vendor=AVAGO inq_product=MR9361-8i opt_xferlen_exp=9 opt_blks=512 virtual_gb=8", 3,
     UNKNOWN, ["facts-missing"]),
]
# type as blkid names it, bytes at places
SIGNATURES = [
    ("zfs_member", [(start + 131072 + at * 1024, (0x00bab10c).to_bytes(8, "little"))
                    for start in (0, 262144) for at in range(8)]),
    ("crypto_LUKS", [(0, b"LUKS\xba\xbe\0\1")]),
]
NO_DEVICES = ["/dev/null", "/dev/tty", "/etc/passwd", "/dev", "/dev/none", "none", "../..", "/",
              "/dev/vd*", "x" * 5000, "a\nb", "\udcff\udcfe", "/dev/vda/x", " ", "/proc/1"]


def check_hint(bed, item, geometry, findings, words):
    vm.check_geometry(item, geometry)
    for finding in findings:
        assert any(one.startswith(finding) for one in vm.ids(item)), (
            f"findings:\n  expected {finding}\n  got {vm.ids(item)}")
    if not findings:
        vm.check_no_finding(item, "hint-implausible", "hint-ignored", "hint-one-unit",
                            "hint-stale", "facts-missing")
    if words is not None:
        vm.check_words(item, *words)
    if not geometry.get("striped"):
        vm.check_no_stripe(item)


def hint(bed, disk, status, geometry, findings, words):
    item = bed.advise(disk, status=status)
    bed.verify("judged", check_hint, bed, item, geometry, findings, words)
    if status:
        bed.verify("blocked", vm.check_blocked, item, *findings)
        bed.verify("capture and --from agree with the live answer", vm.check_capture, bed, disk)
        return
    bed.verify("queue lines", vm.check_queue, bed, disk, item)
    vm.full_round(bed, disk)


def scsi_debug(bed, parameters, status, geometry, findings):
    bed.must("modprobe", "scsi_debug", *parameters.split())
    pattern = "/sys/bus/pseudo/drivers/scsi_debug/adapter0/host*/target*/*/block"
    found = []
    vm.wait_for("the disk", lambda: found.extend(glob.glob(pattern + "/sd*")) or found)
    bed.settle()
    disk = "/dev/" + os.path.basename(found[0])
    try:
        item = bed.advise(disk, status=status)
        bed.verify("judged", check_hint, bed, item, geometry, findings, None)
        if status == 0:
            vm.dry_round(bed, disk)
        else:
            bed.verify("blocked", vm.check_blocked, item, *findings)
        if "mkfs-refuses" in findings:
            bed.verify("mkfs.xfs does refuse the blocked line", check_refused, bed, item)
    finally:
        bed.settle()
        bed.must("modprobe", "-r", "scsi_debug")


def check_refused(bed, item):
    ran = bed.run(*item["lines"]["mkfs_blocked"]["argv"])
    vm.same("exit status of mkfs.xfs", ran.status, 1)
    assert "not properly aligned" in ran.err, f"mkfs.xfs said\n{ran.err}"


# Guards

def check_guarded(bed, device, *expected):
    """Blocked for these reasons, in JSON, in a script that does not run, and in a table."""
    item = bed.advise(device, status=1)
    vm.check_blocked(item, *expected)
    text = bed.must(bed.cli, device, status=1)
    for name in expected:
        assert f"[{name}]" in text.out, f"expected [{name}] in\n{text.out}"
    vm.write("/run/blocked", text.out)
    ran = bed.run("sh", "/run/blocked", vm.MOUNTPOINT)
    vm.same("exit status of the script, and whether it made anything",
            (ran.status, "meta-data" in ran.out), (1, False))
    udev = bed.run(bed.cli, device, "--format", "table")
    vm.same("exit status of the table", udev.status, 1)


def guarded(bed, what, device, *expected):
    bed.verify(f"{what} is blocked", check_guarded, bed, device, *expected)


def file_systems(bed):
    disk = bed.disks[0]
    bed.must("mkfs.xfs", "-q", disk)
    guarded(bed, "XFS", disk, "signature-found")
    item = bed.advise(disk, "--overwrite")
    bed.verify("--overwrite is said", vm.check_finding, item, "signature-overwritten", "xfs")
    bed.verify("and gives -f", vm.among, "words", "-f", item["lines"]["mkfs_options"] or [])
    bed.verify("and the line runs", lambda: vm.check_made(bed.run(*item["lines"]["mkfs"]), item))
    bed.must("mount", disk, vm.MOUNTPOINT)
    guarded(bed, "a mounted device", disk, "in-use-mounted", "signature-found")
    item = bed.advise(disk, "--overwrite", status=1)
    bed.verify("even with --overwrite", vm.check_blocked, item, "in-use-mounted")
    bed.verify("the mount point is named", vm.check_finding, item, "in-use-mounted",
               vm.MOUNTPOINT)
    link = f"/dev/disk/by-id/virtio-{vm.read('/sys/block/' + disk[5:] + '/serial')}"
    guarded(bed, "a mounted device by a link's name", link, "in-use-mounted", "signature-found")
    bed.must("umount", vm.MOUNTPOINT)
    vm.blank(disk)
    bed.must("mkfs.ext4", "-q", "-E", "nodiscard", disk, "200M")
    guarded(bed, "ext4", disk, "signature-found")
    bed.verify("its type is named", vm.check_finding, bed.advise(disk, status=1),
               "signature-found", "ext4")


def in_use(bed):
    one, two, three = bed.disks[:3]
    bed.must("mkswap", "-q", one)
    guarded(bed, "a swap signature", one, "signature-found")
    bed.must("swapon", one)
    guarded(bed, "swap in use", one, "in-use-swap", "signature-found")
    bed.must("swapoff", one)
    bed.array("1", (two, three))
    guarded(bed, "a member of md", two, "in-use-holder", "signature-found")
    bed.stop()
    guarded(bed, "a member of a stopped array", two, "signature-found")
    bed.must("mdadm", "-q", "--zero-superblock", two, three)
    item = bed.advise(two)
    bed.verify("and not any more once that is erased", vm.check_no_finding, item,
               "signature-found", "in-use-holder")


def volume_group(bed):
    if not shutil.which("pvcreate"):
        bed.cannot_test("a physical volume is blocked", "no lvm2")
        return
    disk = bed.disks[0]
    bed.must("pvcreate", "-q", disk)
    guarded(bed, "a physical volume", disk, "signature-found")
    bed.must("vgcreate", "-q", "guest", disk)
    bed.must("lvcreate", "-q", "-y", "-Wn", "-Zn", "--noudevsync", "-L", "1G", "-n", "some",
             "guest")
    guarded(bed, "a physical volume in use", disk, "in-use-holder", "signature-found")
    unresolved(bed, "a logical volume", os.path.realpath("/dev/mapper/guest-some"))
    bed.must("vgchange", "-q", "-an", "guest")


def partition_tables(bed):
    disk = bed.disks[0]
    bed.partition(disk, label="gpt")
    guarded(bed, "an empty partition table", disk, "signature-found")
    for label in ("gpt", "dos"):
        bed.partition(disk, (2048, 2048 * 1024), label=label)
        guarded(bed, f"a disk with a partition ({label})", disk, "has-partitions",
                "signature-found")
        vm.full_round(bed, disk + "1")
        vm.erase_start(disk + "1")
    bed.must("blockdev", "--setro", disk + "1")
    guarded(bed, "a read-only partition", disk + "1", "read-only")
    bed.must("blockdev", "--setrw", disk + "1")
    bed.partition(disk, (2048, 200 * 2048))
    guarded(bed, "a partition of 200 MiB", disk + "1", "too-small")
    bed.run("partx", "-d", disk)
    vm.blank(disk)
    bed.must("blockdev", "--setro", disk)
    guarded(bed, "a read-only disk", disk, "read-only")
    bed.must("blockdev", "--setrw", disk)


def signatures(bed):
    disk = bed.disks[0]
    for name, places in SIGNATURES:
        vm.blank(disk)
        with open(disk, "r+b") as file:
            for at, text in places:
                file.seek(at)
                file.write(text)
        known = bed.run("blkid", "-p", "-o", "value", "-s", "TYPE", disk).out.strip()
        if known != name:
            bed.cannot_test(f"{name} is blocked", f"blkid takes the test's bytes for {known!r}")
            continue
        guarded(bed, name, disk, "signature-found")
        bed.verify(f"{name} is named", vm.check_finding, bed.advise(disk, status=1),
                   "signature-found", name)


# Stacks

def unresolved(bed, what, device):
    item = bed.advise(device, status=3)
    bed.verify(f"{what}: no geometry", vm.check_geometry, item, {"known": False})
    bed.verify(f"{what}: blocked", vm.check_blocked, item, "nested-not-resolved")
    bed.verify(f"{what}: said", vm.check_finding, item, "nested-not-resolved", "not resolved yet")
    bed.verify(f"{what}: capture and --from agree", vm.check_capture, bed, device)


def stacks(bed, compare):
    device = bed.array("5", bed.disks[:3], "-c", "64")
    bed.partition(device, (2048, 2048 * 1024))
    table = f"0 {2048 * 1024} linear {device}p1 0"
    bed.must("dmsetup", "create", "line", "--table", table)
    bed.must("dmsetup", "create", "stripes", "--table",
             f"0 {2048 * 1024} striped 2 128 {bed.disks[3]} 0 {bed.disks[4]} 0")
    unresolved(bed, "dm-linear on md", os.path.realpath("/dev/mapper/line"))
    unresolved(bed, "dm-linear by its name", "/dev/mapper/line")
    unresolved(bed, "dm-stripe", os.path.realpath("/dev/mapper/stripes"))
    guarded(bed, "the partition below", device + "p1", "in-use-holder")
    bed.must("losetup", "-r", "/dev/loop0", os.path.realpath(bed.cli))
    bed.settle()
    bed.verify("--all answers for every device", check_all, bed)
    bed.adopt(compare)
    bed.must("losetup", "-d", "/dev/loop0")
    bed.must("dmsetup", "remove", "line")
    bed.must("dmsetup", "remove", "stripes")
    bed.run("partx", "-d", device)


def check_all(bed):
    ran = bed.run(bed.cli, "capture", "--all")
    vm.same("exit status and stderr of capture --all", (ran.status, ran.err), (0, ""))
    vm.write("/run/all.json", ran.out)
    again = bed.run(bed.cli, "--from", "/run/all.json", "--json")
    vm.same("other lines on stderr",
            [line for line in again.err.splitlines() if not line.startswith("xfsadvise: ")], [])
    answers = len(json.loads(again.out)["advice"])
    assert answers >= len(bed.disks) + 4, f"only {answers} devices of --all"


# What must not happen

def traced(bed):
    device = bed.array("5", bed.disks[:3], "-c", "64")
    if not shutil.which("strace"):
        bed.cannot_test("no device is opened for writing", "no strace")
        return
    for words in (["--json", device], ["--json", bed.disks[3]], ["capture", device],
                  ["capture", "--all"]):
        bed.verify(f"no device is opened for writing: {' '.join(words)}", check_opens, bed, words)


def check_opens(bed, words):
    bed.run("strace", "-f", "-o", "/run/trace", "-e", "trace=openat,open,creat,openat2", bed.cli,
            *words)
    calls = [line for line in vm.read("/run/trace").splitlines() if "(" in line]
    devices = [line for line in calls if re.search(r'"/?dev/', line)]
    writing = [line for line in calls if re.search(r"O_WRONLY|O_RDWR|O_CREAT|creat\(", line) and
               '"/dev/null"' not in line]
    vm.same("opened for writing", writing, [])
    assert devices, "the trace shows no device that is opened at all"


def check_no_device(bed, name):
    for words in ([name, "--json"], ["capture", name]):
        ran = bed.run(bed.cli, *words)
        vm.among("exit status", ran.status, (2, 4))
        vm.same("stdout", ran.out, "")
        vm.same("lines on stderr", ran.err.count("\n"), 1)
        assert ran.err.startswith("xfsadvise: ") and len(ran.err) < 400, ran.err[:500]
        if name.startswith("/"):
            assert name in ran.err, f"expected {name} in {ran.err}"


def no_devices(bed):
    for name in NO_DEVICES:
        bed.verify(ascii(name[:20]), check_no_device, bed, name)
    ran = bed.run(bed.cli, bed.disks[0], "/dev/none", "--json")
    bed.verify("one of two is none", vm.same, "status and stdout", (ran.status, ran.out), (4, ""))


def main():
    if sys.argv[1:] == ["--disks"]:
        print(" ".join(f"-d {disks}" for _, disks, *_ in SETS))
        return
    bed = vm.Bed(sys.argv[1], os.environ["DISKS"].split())
    for at, (name, _, *rest) in enumerate(SETS, 1):
        bed.scene(name, hint, os.environ[f"DISKS{at}"].split()[0], *rest)
    for name, *rest in SCSI_DEBUG:
        bed.scene(f"scsi_debug, {name}", scsi_debug, *rest)
    for name, function, *rest in [
            ("file systems", file_systems), ("in use", in_use), ("LVM", volume_group),
            ("partitions", partition_tables), ("signatures", signatures),
            ("stacks", stacks, sys.argv[2]), ("trace", traced), ("no device", no_devices)]:
        bed.scene(name, function, *rest)
    bed.finish()


if __name__ == "__main__":
    main()
