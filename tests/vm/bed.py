# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the guest's tests share: commands that are remembered, disks, and the checks that every
device goes through. It belongs into a guest (see guest): it wipes disks."""
import collections
import fcntl
import glob
import json
import os
import re
import shlex
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../model")]
import mkfs                                     # noqa: E402
from tap import Tap                             # noqa: E402

BLKDISCARD, BLKGETSIZE64 = 0x1277, 0x80081272
MOUNTPOINT = "/mnt/xfs test"                    # a space: it needs quoting and escaping
FIGURES = ("block_size", "sector_size", "ag_count", "ag_size_blocks", "blocks",
           "stripe_unit_blocks", "stripe_width_blocks", "log_blocks", "log_stripe_unit",
           "log_sector_size", "inode_max_percent", "log_external")

Ran = collections.namedtuple("Ran", "status out err")


def same(what, got, expected):
    assert got == expected, f"{what}:\n  expected {expected!r}\n  got      {got!r}"


def among(what, got, expected):
    assert got in expected, f"{what}:\n  expected one of {expected!r}\n  got {got!r}"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def size_of(device):
    with open(device, "rb") as file:
        return struct.unpack("Q", fcntl.ioctl(file, BLKGETSIZE64, b"\0" * 8))[0]


def blank(device):
    """Makes a virtual disk as good as new."""
    with open(device, "r+b") as file:
        fcntl.ioctl(file, BLKDISCARD, struct.pack("QQ", 0, size_of(device)))


def erase_start(device):
    """No superblock and no partition table is left at the start."""
    with open(device, "r+b") as file:
        file.write(bytes(64 * 1024))


def wait_for(what, function, seconds=120):
    end = time.monotonic() + seconds
    while not function():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.05)


def ids(item):
    return [finding["id"] for finding in item["findings"]]


class Bed(Tap):
    """Checks one scene after the other; a scene begins with blank disks and no array."""

    def __init__(self, cli, disks):
        super().__init__()
        self.cli, self.disks, self.commands, self.name = cli, disks, [], ""
        os.environ.update(LC_ALL="C", IMSM_NO_PLATFORM="1", IMSM_DEVNAME_AS_SERIAL="1")
        os.makedirs(MOUNTPOINT, exist_ok=True)

    def report(self, name, why):
        lines = why.splitlines() + ["commands:"] + ["  " + line for line in self.commands]
        super().report(name, "\n".join(lines))
        sys.stdout.flush()

    def verify(self, what, function, *args):
        self.check(f"{self.name}: {what}", function, *args)
        sys.stdout.flush()

    def cannot_test(self, what, why):
        self.number += 1
        self.failed += 1
        print(f"not ok {self.number} - {self.name}: {what}: cannot be tested, {why}")

    def adopt(self, *argv):
        """Runs a program that writes TAP, and counts its checks."""
        ran = self.run(*argv)
        lines = ran.out.splitlines()
        for line in lines:
            found = re.match(r"(ok|not ok) \d+ - (.*)", line)
            if found:
                self.number += 1
                self.failed += found.group(1) != "ok"
                line = f"{found.group(1)} {self.number} - {self.name}: {found.group(2)}"
            if not line.startswith("1.."):
                print(line)
        plans = [line for line in lines if line.startswith("1..")]
        self.verify("the program finished", same, "plan and stderr", (len(plans), ran.err),
                    (1, ""))

    def scene(self, name, function, *args):
        """Runs a function that makes devices and verifies; whatever it leaves is removed.
        $VM_ONLY is a pattern for the names of the scenes that are wanted."""
        if not re.search(os.environ.get("VM_ONLY", ""), name):
            return
        self.name, self.commands = name, []
        begin, failed = time.monotonic(), []
        try:
            function(self, *args)
        except Exception as wrong:              # the scene itself did not come about
            failed.append(wrong)
        try:
            self.clear()
        except Exception as wrong:
            failed.append(wrong)
        for wrong in failed:
            self.number += 1
            self.report(f"{name}: set up and taken down", f"{type(wrong).__name__}: {wrong}")
        print(f"# {name}: {time.monotonic() - begin:.1f} s")

    # Commands

    def run(self, *argv, env=None):
        self.commands.append(shlex.join(argv))
        ran = subprocess.run(argv, capture_output=True, timeout=240, stdin=subprocess.DEVNULL,
                             close_fds=False, env=env)
        return Ran(ran.returncode, ran.stdout.decode("utf-8", "replace"),
                   ran.stderr.decode("utf-8", "replace"))

    def must(self, *argv, status=0):
        ran = self.run(*argv)
        assert ran.status == status, (
            f"{shlex.join(argv)}: expected exit status {status}, got {ran.status}\n"
            f"{ran.out}{ran.err}")
        return ran

    def start(self, *argv):
        """A command that may leave a process behind, which would hold a pipe open."""
        self.commands.append(shlex.join(argv))
        subprocess.run(argv, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=60)

    def settle(self):
        subprocess.run(["udevadm", "settle"], check=True, close_fds=False)

    def advise(self, *args, status=0):
        """The first advice of the command's JSON, after its exit status was what it has to be."""
        self.settle()
        ran = self.must(self.cli, *args, "--json", status=status)
        return json.loads(ran.out)["advice"][0]

    # Devices

    def array(self, level, disks, *args, device="/dev/md0", extra=("--assume-clean",)):
        self.must("mdadm", "-q", "--create", device, "--run", *extra, "-l", level,
                  "-n", str(len(disks)), *args, *disks)
        self.settle()
        return device

    def stop(self, device="/dev/md0"):
        self.settle()
        self.must("mdadm", "-q", "--stop", device)

    def partition(self, device, *starts_and_sizes, label="gpt"):
        """Partitions of (first sector, sectors)."""
        script = f"label: {label}\n" + "".join(
            f"start={start}, size={size}\n" for start, size in starts_and_sizes)
        self.commands.append(f"sfdisk -q {device} <<<{shlex.quote(script)}")
        subprocess.run(["sfdisk", "-q", "--no-reread", "-w", "always", "-W", "always", device],
                       input=script.encode(), check=True, capture_output=True)
        if starts_and_sizes:
            self.must("partx", "-u", device)
        self.settle()

    def clear(self):
        for line in read("/proc/swaps").splitlines()[1:]:
            self.run("swapoff", line.split()[0])
        if "/mnt/" in read("/proc/self/mountinfo"):
            self.run("umount", "-A", MOUNTPOINT)
        self.settle()
        if glob.glob("/sys/block/dm-*"):
            self.run("dmsetup", "remove_all")
        for md in sorted(glob.glob("/sys/block/md*")):
            if read(md + "/md/array_state") != "clear":
                self.must("mdadm", "-q", "--stop", "/dev/" + os.path.basename(md))
        for disk in self.disks:
            if glob.glob("/sys/block/" + disk[5:] + "/" + disk[5:] + "[0-9]*"):
                self.run("partx", "-d", disk)
            blank(disk)
        self.settle()

    def finish(self):
        sys.stdout.flush()
        super().finish()


# Comparisons of a piece of advice with what comes of it

def check_geometry(item, expected):
    geometry = item["geometry"]
    got = {key: geometry.get(key) for key in expected}
    same("geometry", got, expected)


def table_of(ran):
    """The figures that mkfs.xfs printed, and the lines that are not its table's."""
    sections, rest = mkfs.split_table(ran.out)
    said = [("stdout", line) for line in rest] + mkfs.messages_of("stderr", ran.err)
    return (mkfs.figures_of(sections) if sections else None), sorted(said)


def predicted_of(item):
    filesystem = item["filesystem"]
    messages = sorted((one["stream"], one["text"]) for one in filesystem["messages"])
    return {key: filesystem.get(key) for key in FIGURES}, messages


def check_made(ran, item, dry=False):
    figures, said = table_of(ran)
    expected, messages = predicted_of(item)
    if dry:                                     # -N does not discard and does not say so
        messages = [one for one in messages if not one[1].startswith("Discarding blocks")]
    same("exit status of mkfs.xfs", (ran.status, ran.err if ran.status else ""), (0, ""))
    same("the table of mkfs.xfs against the prediction", figures, expected)
    same("other output of mkfs.xfs against the prediction", said, messages)


def check_superblock(device, item):
    found = mkfs.superblock_of(device)
    assert found, f"no XFS superblock on {device}"
    expected = {key: value for key, value in item["filesystem"].items() if key in found}
    same("the superblock against the prediction", {key: found[key] for key in expected}, expected)


def check_mount(bed, argv):
    """argv mounts at MOUNTPOINT, where a file can then be written."""
    bed.must(*argv)
    try:
        same("file system type at the mount point",
             [line.split(" - ")[1].split()[0] for line in read("/proc/self/mountinfo").splitlines()
              if line.split()[4] == MOUNTPOINT.replace(" ", "\\040")], ["xfs"])
        write(MOUNTPOINT + "/file", "hello")
        same("the file", read(MOUNTPOINT + "/file"), "hello")
    finally:
        bed.run("umount", MOUNTPOINT)


def check_mount_line(bed, item):
    check_mount(bed, [MOUNTPOINT if word == "MOUNTPOINT" else word
                      for word in item["lines"]["mount"]])


def check_fstab_line(bed, device, args):
    """The line as the tool writes it when it is told the mount point."""
    line = bed.must(bed.cli, device, *args, "--mountpoint", MOUNTPOINT, "--overwrite", "--quiet",
                    "--format", "fstab").out
    write("/run/fstab", line)
    bed.commands.append(f"/run/fstab: {line.strip()}")
    check_mount(bed, ["mount", "-T", "/run/fstab", MOUNTPOINT])


def check_queue(bed, device, item, args=()):
    """Each value goes in, reads back, is what the tool then finds: it has nothing more to set."""
    for line in item["lines"]["queue"]:
        same(f"{line['path']} before", read(line["path"]), line["was"])
        bed.commands.append(f"echo {line['value']} >{line['path']}")
        write(line["path"], line["value"])
        same(f"{line['path']} read back", read(line["path"]), line["value"])
    after = bed.advise(device, *args)
    same("queue lines once they were carried out", after["lines"]["queue"], [])


def check_capture(bed, device, args=()):
    live = bed.run(bed.cli, device, *args, "--json")
    captured = bed.must(bed.cli, "capture", device)
    write("/run/capture.json", captured.out)
    again = bed.run(bed.cli, "--from", "/run/capture.json", *args, "--json")
    same("--from a capture against the live answer", (again.status, again.out),
         (live.status, live.out))


def check_anonymised(bed, device, args=()):
    live = bed.run(bed.cli, device, *args, "--json")
    captured = bed.must(bed.cli, "capture", device, "--anonymise")
    write("/run/capture.json", captured.out)
    again = bed.run(bed.cli, "--from", "/run/capture.json", *args, "--json")
    same("exit status", again.status, live.status)
    one, other = (json.loads(ran.out)["advice"][0] for ran in (live, again))
    for part in ("size", "geometry", "filesystem", "recommended", "settings", "findings"):
        same(part, other[part], one[part])
    same("mkfs.xfs's options", other["lines"]["mkfs_options"], one["lines"]["mkfs_options"])
    serials = re.findall(r"(?:ID_SERIAL|MD_UUID|SERIAL_SHORT)=([^\\\s\"]+)", captured.out)
    for serial in serials:
        path = os.path.join("/dev/disk/by-id", f"virtio-{serial}")
        assert not os.path.exists(path), f"{serial} is the disk's own serial"


def check_script(bed, device, args=()):
    """What the tool prints by itself is a script that makes and mounts the file system."""
    script = bed.must(bed.cli, device, *args)
    write("/run/make-xfs", script.out)
    item = bed.advise(device, *args)
    ran = bed.must("sh", "/run/make-xfs", MOUNTPOINT)
    bed.must("umount", MOUNTPOINT)
    check_made(ran, item)
    check_superblock(device, item)


def full_round(bed, device, args=()):
    """All that the advice on a device promises; the file system stays on it."""
    item = bed.advise(device, *args)
    bed.verify("capture and --from agree with the live answer", check_capture, bed, device, args)
    bed.verify("an anonymised capture gives the same figures", check_anonymised, bed, device,
               args)
    ran = bed.run(*(item["lines"]["mkfs"] or ["false"]))
    bed.verify("mkfs.xfs makes and says what was predicted", check_made, ran, item)
    bed.verify("the superblock is as predicted", check_superblock, device, item)
    bed.verify("it mounts with the mount line", check_mount_line, bed, item)
    bed.verify("it mounts with the fstab line", check_fstab_line, bed, device, args)
    return item


def dry_round(bed, device, args=()):
    """As full_round, but mkfs.xfs is only asked what it would do."""
    item = bed.advise(device, *args)
    argv = item["lines"]["mkfs"] or ["false"]
    ran = bed.run(argv[0], "-N", *argv[1:])
    bed.verify("mkfs.xfs would make and say what was predicted", check_made, ran, item, True)
    bed.verify("capture and --from agree with the live answer", check_capture, bed, device, args)
    return item


def check_blocked(item, *expected):
    """Exactly these findings block the line, and no program can run it by accident."""
    lines = item["lines"]
    same("lines.mkfs", lines["mkfs"], None)
    same("what blocks the line", sorted((lines["mkfs_blocked"] or {}).get("by", [])),
         sorted(expected))


def check_finding(item, name, *numbers):
    assert name in ids(item), f"findings:\n  expected {name}\n  got {ids(item)}"
    text = next(one["text"] for one in item["findings"] if one["id"] == name)
    for number in numbers:
        assert str(number) in text, f"{name}:\n  expected {number} in it\n  got {text}"


def check_no_finding(item, *names):
    found = [name for name in names if name in ids(item)]
    same("findings that must not be there", found, [])


def check_words(item, *expected):
    """The options of the mkfs.xfs line."""
    same("options of mkfs.xfs", item["lines"]["mkfs_options"], list(expected))


def check_no_stripe(item):
    """Nothing in the advice asks for a stripe."""
    text = " ".join(item["lines"]["mkfs_options"] or [])
    assert "sw=" not in text and "swidth" not in text, f"expected no su/sw, got {text}"
    same("recommended", (item["recommended"]["su"], item["recommended"]["sw"]), (None, None))
