#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""In a guest with udev and 8 blank virtio disks of 4G: md arrays that are not steady, partitions
on them, containers of external metadata, and what udev rules keep. Writes TAP.
Usage: changes.py CLI"""
import os
import sys

import bed as vm

KIB = 1024
MIB_SECTORS = 2048
SPEED = "/proc/sys/dev/raid/speed_limit_"
SMALL = "256M"          # of a member: a reshape is over soon; the rest is for enlarge
RULES = "/etc/udev/rules.d/99-xfsadvise.rules"

# RAID 5 of 4 with a chunk of 64k: a full stripe has 384 sectors.
STARTS = [
    # name, first sector of the partition, start, exit status, findings that must be there
    ("on a full stripe", 384 * 16, "full-stripe", 0, []),
    ("on a chunk only", 4 * MIB_SECTORS, "stripe-unit", 0, ["start-not-full-stripe"]),
    ("at sector 63", 63, "misaligned", 1, ["start-refused"]),
    ("at sector 64", 64, "misaligned", 1, ["start-refused"]),
]
# name, level, disks, arguments, disks to fail, level, chunk in KiB, data disks, parity disks
DEGRADED = [
    ("RAID 5", "5", 4, ["-c", "64"], 1, "raid5", 64, 3, 1),
    ("RAID 6, two missing", "6", 6, ["-c", "128"], 2, "raid6", 128, 4, 2),
    ("RAID 10 n2", "10", 4, ["-c", "64"], 1, "raid10", 64, 2, 0),
    ("RAID 10 f2", "10", 4, ["-c", "64", "-p", "f2"], 1, "raid10", 64, 4, 0),
]


def shape(level, disks, chunk, data, parity, **more):
    return {"known": True, "striped": True, "level": level, "disks": disks,
            "stripe_unit": chunk * KIB, "data_disks": data, "parity_disks": parity,
            "stripe_width": chunk * KIB * data, **more}


def slow(bed):
    """Resync and reshape stand nearly still."""
    for limit in ("min", "max"):
        bed.commands.append(f"echo 20 >{SPEED}{limit}")
        vm.write(SPEED + limit, "20")


def fast(bed):
    for limit in ("max", "min"):
        bed.commands.append(f"echo 500000 >{SPEED}{limit}")
        vm.write(SPEED + limit, "500000")


def md(name, device="md0"):
    return vm.read(f"/sys/block/{device}/md/{name}")


def reshape_begins(disks, chunk):
    vm.wait_for("reshape", lambda: md("sync_action") == "reshape")
    flux = (md("raid_disks").split()[0], md("chunk_size").split()[0])
    vm.same("raid_disks and chunk_size in flux", flux, (str(disks), str(chunk * KIB)))


def wait_idle(bed, device="md0"):
    fast(bed)
    vm.wait_for("the array is idle", lambda: md("sync_action", device) == "idle" and
                "(" not in md("raid_disks", device) + md("chunk_size", device) +
                md("layout", device) and md("reshape_position", device) == "none")
    bed.settle()


def check_reshape(bed, item, text, *after):
    """No line, in JSON and in text, and both say what the array will be."""
    vm.same("state", item["geometry"]["state"], "reshaping")
    vm.same("known", item["geometry"]["known"], True)
    vm.check_blocked(item, "reshape-running")
    vm.check_finding(item, "reshape-running", *after)
    same_words = " ".join(text.replace("\n#", "\n").split())
    for word in after:
        assert word in same_words, f"expected {word} in\n{text}"
    live = [line for line in text.splitlines() if line.startswith("mkfs")]
    vm.same("mkfs.xfs lines that would run", live, [])


def reshaping(bed, device, *after):
    item = bed.advise(device, status=1)
    text = bed.must(bed.cli, device, status=1).out
    bed.verify("no line, and what comes after", check_reshape, bed, item, text, *after)
    bed.verify("capture and --from agree with the live answer", vm.check_capture, bed, device)


# Partitions

def partitions(bed):
    device = bed.array("5", bed.disks[:4], "-c", "64")
    for name, start, where, status, findings in STARTS:
        bed.name = f"partition {name}"
        bed.partition(device, (start, 1024 * MIB_SECTORS + 777),
                      label="gpt\nfirst-lba: 34")
        one_partition(bed, device + "p1", start, where, status, findings)
    bed.name = "array with a partition"
    item = bed.advise(device, status=1)
    bed.verify("blocked", vm.check_blocked, item, "has-partitions", "signature-found")
    bed.run("partx", "-d", device)


def one_partition(bed, device, start, where, status, findings):
    item = bed.advise(device, status=status)
    bed.verify("geometry", vm.check_geometry, item,
               shape("raid5", 4, 64, 3, 1, start=where, start_offset=start * 512, state="clean",
                     partition_alignment=192 * KIB))
    for finding in findings:
        bed.verify(finding, vm.check_finding, item, finding)
    sector = item["geometry"]["partition_start_sectors"] or 1
    bed.verify("the right start is on a full stripe", vm.same, "remainder", sector % 384, 0)
    if status == 0:
        if not findings:
            bed.verify("no finding on the start", vm.check_no_finding, item,
                       "start-not-full-stripe", "start-misaligned", "start-refused")
        vm.full_round(bed, device)
    else:
        bed.verify("mkfs.xfs does refuse the blocked line", check_refused, bed, item, findings)
        bed.verify("capture and --from agree with the live answer", vm.check_capture, bed, device)


def check_refused(bed, item, findings):
    vm.check_blocked(item, *findings)
    ran = bed.run(*item["lines"]["mkfs_blocked"]["argv"])
    vm.same("exit status of mkfs.xfs", ran.status, 1)
    assert "not properly aligned" in ran.err, f"mkfs.xfs said\n{ran.err}"


def mend_start(bed):
    """A partition that is made where a finding says the right start is."""
    device = bed.array("6", bed.disks[:5], "-c", "128")
    bed.partition(device, (2048, 1200 * MIB_SECTORS))
    start = bed.advise(device + "p1")["geometry"]["partition_start_sectors"]
    bed.partition(device, (start, 1200 * MIB_SECTORS))
    item = bed.advise(device + "p1")
    bed.verify("it is on a full stripe", vm.check_geometry, item,
               shape("raid6", 5, 128, 3, 2, start="full-stripe"))
    bed.run("partx", "-d", device)


# Members that are missing, and resync

def degraded(bed, level, count, args, failed, *expected):
    device = bed.array(level, bed.disks[:count], *args)
    for disk in bed.disks[1:1 + 2 * failed:2]:
        bed.must("mdadm", "-q", device, "--fail", disk)
    name, chunk, data, parity = expected
    for how in ("failed", "removed"):
        item = bed.advise(device)
        bed.verify(f"geometry with a member {how}", vm.check_geometry, item,
                   shape(name, count, chunk, data, parity, state="degraded"))
        bed.verify(f"said with a member {how}", vm.check_finding, item, "array-degraded", failed)
        bed.run("mdadm", "-q", device, "--remove", "failed")
    vm.full_round(bed, device)


def resync(bed):
    slow(bed)
    device = bed.array("6", bed.disks[:6], "-c", "256", extra=())
    item = bed.advise(device)
    bed.verify("geometry", vm.check_geometry, item, shape("raid6", 6, 256, 4, 2, state="syncing"))
    bed.verify("said", vm.check_finding, item, "array-syncing", "resync")
    vm.full_round(bed, device)


def recovery(bed):
    device = bed.array("5", bed.disks[:4], "-c", "64", "-x", "1", *bed.disks[4:5])
    item = bed.advise(device)
    bed.verify("a spare is no member", vm.check_geometry, item,
               shape("raid5", 4, 64, 3, 1, state="clean"))
    slow(bed)
    bed.must("mdadm", "-q", device, "--fail", bed.disks[0])
    vm.wait_for("recovery", lambda: md("sync_action") == "recover")
    item = bed.advise(device)
    bed.verify("a member that is rebuilt counts", vm.check_geometry, item,
               shape("raid5", 4, 64, 3, 1))
    bed.verify("state", vm.among, "state", item["geometry"]["state"], ("degraded", "syncing"))
    vm.dry_round(bed, device)
    fast(bed)


def journal(bed):
    device = bed.array("5", bed.disks[:4], "-c", "64", "--write-journal", bed.disks[4], extra=())
    item = bed.advise(device)
    bed.verify("a journal is no member", vm.check_geometry, item, shape("raid5", 4, 64, 3, 1))


def inactive(bed):
    device = bed.array("5", bed.disks[:4], "-c", "64")
    bed.stop()
    bed.must("mdadm", "-q", "--incremental", "--no-degraded", bed.disks[0])
    bed.settle()
    name = next(line.split()[0] for line in vm.read("/proc/mdstat").splitlines()
                if line.startswith("md"))
    item = bed.advise("/dev/" + name, status=1)
    bed.verify("blocked", vm.check_blocked, item, "array-inactive")
    bed.verify("state", vm.same, "state", item["geometry"]["state"], "inactive")
    assert device, name


# Reshapes

def enlarge(bed, device):
    """The array takes all of its members, which changes nothing else."""
    before = vm.size_of(device)
    bed.must("mdadm", "-q", "--grow", device, "-z", "max", "--assume-clean")
    vm.wait_for("the new size", lambda: vm.size_of(device) > before)
    bed.settle()


def grow(bed, *args):
    device = bed.array("5", bed.disks[:4], "-c", "64", "-z", SMALL, *args)
    before = bed.advise(device)
    bed.verify("before", vm.check_geometry, before, shape("raid5", 4, 64, 3, 1, state="clean"))
    bed.must("mdadm", "-q", device, "--add", bed.disks[4])
    slow(bed)
    bed.start("mdadm", "--grow", device, "-n", "5", "--backup-file=/run/backup")
    reshape_begins(5, 64)
    reshaping(bed, device, "raid5", "of 5 disks", "64k")
    wait_idle(bed)
    vm.wait_for("the new size", lambda: vm.size_of(device) > before["size"])
    enlarge(bed, device)
    item = bed.advise(device)
    bed.verify("afterwards", vm.check_geometry, item, shape("raid5", 5, 64, 4, 1, state="clean"))
    vm.full_round(bed, device)


def rechunk(bed):
    device = bed.array("5", bed.disks[:4], "-c", "64", "-z", SMALL)
    slow(bed)
    bed.start("mdadm", "--grow", device, "--chunk", "128", "--backup-file=/run/backup")
    reshape_begins(4, 128)
    reshaping(bed, device, "raid5", "of 4 disks", "128k")
    wait_idle(bed)
    enlarge(bed, device)
    vm.same("minimum_io_size, stale", vm.read("/sys/block/md0/queue/minimum_io_size"), "65536")
    item = bed.advise(device)
    bed.verify("the array's chunk counts", vm.check_geometry, item,
               shape("raid5", 4, 128, 3, 1, state="clean", confidence="fact"))
    bed.verify("the hint is named", vm.check_finding, item, "hint-stale", "64k")
    bed.verify("su and sw are in the line", vm.among, "words",
               "su=128k,sw=3", item["lines"]["mkfs_options"] or [])
    vm.full_round(bed, device)
    bed.stop()
    bed.must("mdadm", "-q", "-A", device, *bed.disks[:4])
    vm.erase_start(device)
    item = bed.advise(device)
    bed.verify("nothing is stale once it was assembled again", vm.check_no_finding, item,
               "hint-stale")
    bed.verify("and su and sw come by themselves", vm.check_words, item, "-l", "su=32k")


def relevel(bed):
    """RAID 5 becomes RAID 6: while it runs the layout is an interim one."""
    device = bed.array("5", bed.disks[:4], "-c", "64", "-z", SMALL)
    bed.must("mdadm", "-q", device, "--add", bed.disks[4])
    slow(bed)
    bed.start("mdadm", "--grow", device, "-l", "6", "-n", "5", "--backup-file=/run/backup")
    reshape_begins(5, 64)
    reshaping(bed, device, "raid6", "of 5 disks")
    wait_idle(bed)
    enlarge(bed, device)
    item = bed.advise(device)
    bed.verify("afterwards", vm.check_geometry, item, shape("raid6", 5, 64, 3, 2, state="clean"))
    vm.dry_round(bed, device)


# Containers

def container(bed, metadata, args):
    slow(bed)
    bed.must("mdadm", "-q", "-C", "/dev/md/outer", "--run", "-e", metadata, "-n", "4",
             *bed.disks[:4])
    bed.must("mdadm", "-q", "-C", "/dev/md/inner", "--run", "-l", "5", "-c", "64", "-n", "4",
             *args, "/dev/md/outer")
    bed.settle()
    outer, inner = (os.path.realpath("/dev/md/" + name) for name in ("outer", "inner"))
    item = bed.advise(outer, status=1)
    bed.verify("the container is blocked", check_container, item)
    bed.verify("capture and --from agree on the container", vm.check_capture, bed, outer)
    item = bed.advise(inner)
    bed.verify("the array in it", vm.check_geometry, item, shape("raid5", 4, 64, 3, 1))
    vm.full_round(bed, inner)
    fast(bed)
    bed.must("mdadm", "-q", "--stop", inner)
    bed.must("mdadm", "-q", "--stop", outer)


def check_container(item):
    vm.check_finding(item, "container-device")
    vm.same("lines.mkfs", item["lines"]["mkfs"], None)
    assert "container-device" in item["lines"]["mkfs_blocked"]["by"], item["lines"]


# Settings that last

def cache_below_chunk(bed):
    """A chunk of 2 MiB: the default stripe cache and the members' limits are too low for it."""
    device = bed.array("5", bed.disks[:4], "-c", "2048")
    item = bed.advise(device)
    bed.verify("geometry", vm.check_geometry, item, shape("raid5", 4, 2048, 3, 1))
    bed.verify("the stripe cache is named", vm.check_finding, item, "stripe-cache-below-chunk",
               256, 512)
    paths = [line["path"] for line in item["lines"]["queue"]]
    bed.verify("the queue lines", vm.same, "paths", sorted(paths), sorted(
        ["/sys/block/md0/md/stripe_cache_size"] +
        [f"/sys/block/{disk[5:]}/queue/max_sectors_kb" for disk in bed.disks[:4]]))
    rules = bed.must(bed.cli, device, "--format", "udev").out
    bed.verify("the rule survives stop and assemble", check_rule, bed, device, item, rules)
    bed.verify("the default came back with the rule gone", check_no_rule, bed, device)
    item = bed.advise(device)
    bed.verify("the queue lines mend it", vm.check_queue, bed, device, item)
    bed.verify("nothing is named any more", vm.check_no_finding, bed.advise(device),
               "stripe-cache-below-chunk")
    vm.full_round(bed, device)


def again(bed, device):
    """Stops and assembles the array whose members have forgotten what was set."""
    bed.stop(device)
    for disk in bed.disks[:4]:
        vm.write(f"/sys/block/{disk[5:]}/queue/max_sectors_kb", "512")
        bed.must("udevadm", "trigger", "--settle", "--action=change", disk)
    # What assembles it is a rule of mdadm's, if there is one, or else we.
    if not os.path.exists("/sys/block/md0/md/array_state") or md("array_state") == "clear":
        bed.must("mdadm", "-q", "-A", device, *bed.disks[:4])
    vm.wait_for("the array", lambda: md("array_state") in ("clean", "active", "read-auto"))
    bed.settle()


def check_rule(bed, device, item, rules):
    vm.write(RULES, rules)
    bed.commands.append(f"{RULES}:\n{rules}")
    bed.must("udevadm", "control", "--reload")
    again(bed, device)
    for line in item["lines"]["queue"]:
        vm.same(line["path"], vm.read(line["path"]), line["value"])
    vm.same("queue lines with the rule", bed.advise(device)["lines"]["queue"], [])


def check_no_rule(bed, device):
    os.remove(RULES)
    bed.must("udevadm", "control", "--reload")
    again(bed, device)
    vm.same("stripe_cache_size", md("stripe_cache_size"), "256")


def main():
    bed = vm.Bed(sys.argv[1], os.environ["DISKS"].split()[:8])
    bed.scene("partitions", partitions)
    bed.scene("a partition at the right start", mend_start)
    for name, *rest in DEGRADED:
        bed.scene(f"degraded {name}", degraded, *rest)
    for name, function, *rest in [
            ("resync", resync), ("recovery", recovery), ("journal", journal),
            ("inactive", inactive), ("growing from 4 to 5", grow),
            ("growing from 4 to 5, metadata 0.90", grow, "-e", "0.90"),
            ("new chunk", rechunk), ("RAID 5 to 6", relevel),
            ("DDF", container, "ddf", ()), ("IMSM", container, "imsm", ()),
            ("stripe cache", cache_below_chunk)]:
        bed.scene(name, function, *rest)
        fast(bed)
    bed.finish()


if __name__ == "__main__":
    main()
