#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""In a guest with 8 blank virtio disks of 4G: md arrays of each level, layout, chunk and kind of
metadata. What the tool says is what they were made with, and its lines do what it says.
Writes TAP. Usage: arrays.py CLI"""
import os
import sys

import bed as vm

KIB = 1024

# name, level, disks, arguments of mdadm, expected: level, chunk in KiB, data disks, parity disks
ARRAYS = [
    ("RAID 0, 64k", "0", 4, ["-c", "64"], "raid0", 64, 4, 0),
    ("RAID 0, 512k", "0", 3, ["-c", "512"], "raid0", 512, 3, 0),
    ("RAID 0, 96k", "0", 2, ["-c", "96"], "raid0", 96, 2, 0),
    ("RAID 4, 64k", "4", 4, ["-c", "64"], "raid4", 64, 3, 1),
    ("RAID 4, 512k, metadata 1.0", "4", 3, ["-c", "512", "-e", "1.0"], "raid4", 512, 2, 1),
    ("RAID 5, 64k", "5", 5, ["-c", "64"], "raid5", 64, 4, 1),
    ("RAID 5, 512k, metadata 0.90", "5", 4, ["-c", "512", "-e", "0.90"], "raid5", 512, 3, 1),
    ("RAID 5, 16k, parity first", "5", 3, ["-c", "16", "-p", "parity-first"], "raid5", 16, 2, 1),
    ("RAID 6, 64k, metadata 1.1", "6", 5, ["-c", "64", "-e", "1.1"], "raid6", 64, 3, 2),
    ("RAID 6, 512k", "6", 6, ["-c", "512"], "raid6", 512, 4, 2),
    ("RAID 6, 128k of 8", "6", 8, ["-c", "128"], "raid6", 128, 6, 2),
    ("RAID 10 n2, 64k", "10", 4, ["-c", "64", "-p", "n2"], "raid10", 64, 2, 0),
    ("RAID 10 n2, 512k of 6", "10", 6, ["-c", "512", "-p", "n2"], "raid10", 512, 3, 0),
    ("RAID 10 n2 of 5, 64k", "10", 5, ["-c", "64", "-p", "n2"], "raid10", 64, 5, 0),
    ("RAID 10 n3 of 6, 64k", "10", 6, ["-c", "64", "-p", "n3"], "raid10", 64, 2, 0),
    ("RAID 10 f2, 64k", "10", 4, ["-c", "64", "-p", "f2"], "raid10", 64, 4, 0),
    ("RAID 10 f2, 512k of 3", "10", 3, ["-c", "512", "-p", "f2"], "raid10", 512, 3, 0),
    ("RAID 10 o2, 64k", "10", 4, ["-c", "64", "-p", "o2"], "raid10", 64, 4, 0),
    ("RAID 10 o2, 512k", "10", 4, ["-c", "512", "-p", "o2"], "raid10", 512, 4, 0),
]
# The same without a stripe: a chunk, if there is one, has nothing to go round.
PLAIN = [
    ("RAID 1", "1", 2, [], "raid1"),
    ("RAID 1 of 3, metadata 0.90", "1", 3, ["-e", "0.90"], "raid1"),
    ("RAID 10 n2 of 2, 64k", "10", 2, ["-c", "64", "-p", "n2"], "raid10"),
    ("RAID 5 of 2, 64k", "5", 2, ["-c", "64"], "raid5"),
    ("RAID 0 of 1, 64k", "0", 1, ["-c", "64", "--force"], "raid0"),
    ("linear", "linear", 3, [], "linear"),
    ("linear, rounding 64k", "linear", 2, ["-c", "64"], "linear"),
]
SCRIPTS = ("RAID 0, 512k", "RAID 6, 512k", "RAID 10 f2, 64k", "RAID 1", "linear")
UUID = "5e1fb0c0-1d2e-4f3a-8b4c-5d6e7f809102"
OPTIONS = [
    ("small files", ("--workload", "small-files")),
    ("database", ("--workload", "database")),
    ("virtual machines", ("--workload", "vm-images")),
    ("backup", ("--workload", "backup", "--no-discard")),
    ("all spelt out", ("--full",)),
    ("AG count", ("--agcount", "20")),
    ("label and UUID", ("--label", "a b", "--uuid", UUID)),
]
STREAMS = [("5", 5, "64", 4), ("6", 6, "128", 4), ("6", 8, "256", 6)]


def make(bed, level, count, args):
    # RAID 0 and linear have nothing that could be clean.
    extra = () if level in ("0", "linear") else ("--assume-clean",)
    return bed.array(level, bed.disks[:count], *args, extra=extra)


def as_script(bed, device):
    if bed.name in SCRIPTS:
        vm.erase_start(device)
        bed.verify("the output runs as a script", vm.check_script, bed, device)


def striped(bed, level, count, args, name, chunk, data, parity):
    device = make(bed, level, count, args)
    item = bed.advise(device)
    expected = {"known": True, "striped": True, "level": name, "disks": count,
                "stripe_unit": chunk * KIB, "data_disks": data, "parity_disks": parity,
                "stripe_width": chunk * KIB * data, "start_offset": 0, "start": "full-stripe",
                "state": "clean", "confidence": "fact", "missing": []}
    bed.verify("geometry", vm.check_geometry, item, expected)
    bed.verify("su and sw", vm.same, "recommended",
               (item["recommended"]["su"], item["recommended"]["sw"]), (chunk * KIB, data))
    bed.verify("queue lines", vm.check_queue, bed, device, item)
    vm.full_round(bed, device)
    as_script(bed, device)


def plain(bed, level, count, args, name):
    device = make(bed, level, count, args)
    item = bed.advise(device)
    bed.verify("geometry", vm.check_geometry, item,
               {"known": True, "striped": False, "level": name, "disks": count,
                "stripe_unit": None, "stripe_width": None, "state": "clean", "missing": []})
    bed.verify("no stripe", vm.check_no_stripe, item)
    vm.full_round(bed, device)
    as_script(bed, device)


def streaming(bed, level, count, chunk, data):
    device = bed.array(level, bed.disks[:count], "-c", chunk)
    args = ("--workload", "streaming", "--writers", "2", "--file-size", "1g")
    item = bed.advise(device, *args)
    width = int(chunk) * KIB * data
    bed.verify("su is the full stripe", vm.same, "recommended",
               (item["recommended"]["su"], item["recommended"]["sw"]), (width, 1))
    bed.verify("it is said", vm.check_finding, item, "streaming-full-stripe")
    vm.full_round(bed, device, args)
    again = bed.advise(device, *args, "--overwrite")
    bed.verify("queue lines", vm.check_queue, bed, device, again, (*args, "--overwrite"))


def workloads(bed):
    device = bed.array("6", bed.disks[:6], "-c", "512")
    for name, args in OPTIONS:
        bed.name = f"RAID 6, 512k, {name}"
        item = bed.advise(device, *args)
        ran = bed.run(*(item["lines"]["mkfs"] or ["false"]))
        bed.verify("mkfs.xfs makes and says what was predicted", vm.check_made, ran, item)
        bed.verify("it mounts with the mount line", vm.check_mount_line, bed, item)
        bed.verify("it mounts with the fstab line", vm.check_fstab_line, bed, device, args)
        vm.erase_start(device)


def main():
    bed = vm.Bed(sys.argv[1], os.environ["DISKS"].split()[:8])
    for name, *rest in ARRAYS:
        bed.scene(name, striped, *rest)
    for name, *rest in PLAIN:
        bed.scene(name, plain, *rest)
    for level, count, chunk, data in STREAMS:
        bed.scene(f"RAID {level} of {count}, {chunk}k, streaming", streaming, level, count, chunk,
                  data)
    bed.scene("RAID 6, 512k, with options", workloads)
    bed.finish()


if __name__ == "__main__":
    main()
