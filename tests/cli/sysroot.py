#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Devices of other machines, as folders: what is read, judged and refused. Writes TAP.

The trees have the shape of sysfs; real arrays on a real kernel are tested in tests/vm.
"""
import json
import os
import subprocess
import sys
import tempfile

from tap import Tap

CLI = sys.argv[1]
QUEUE = {"minimum_io_size": 512, "optimal_io_size": 0, "logical_block_size": 512,
         "physical_block_size": 512, "rotational": 1, "max_sectors_kb": 1280,
         "max_hw_sectors_kb": 32767, "read_ahead_kb": 128}
GIB = 1 << 30


def same(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"


class Tree:
    """A folder with sys/, proc/ and run/udev/data, and the devices put into it."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(os.path.join(folder, "sys/dev/block"))
        os.makedirs(os.path.join(folder, "sys/class/block"))
        self.write("proc/sys/kernel/osrelease", "6.1.0-13-amd64")
        self.write("sys/devices/system/cpu/online", "0-3")
        self.write("proc/self/mountinfo", "22 1 0:20 / /sys rw - sysfs sysfs rw\n")
        self.write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as handle:
            handle.write(text if isinstance(text, bytes) else f"{text}".rstrip("\n").encode() + b"\n")

    def link(self, path, target):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(target, path)

    def device(self, name, number, place, size, queue=None, below="block", **files):
        """A block device at devices/PLACE/BELOW/NAME; more files by their path."""
        home = f"sys/devices/{place}/{below}/{name}"
        values = {"size": size // 512, "dev": number, "ro": 0, "alignment_offset": 0,
                  "uevent": f"MAJOR={number.split(':')[0]}\nMINOR={number.split(':')[1]}\n"
                            f"DEVNAME={name}\nDEVTYPE=disk"}
        values.update({f"queue/{key}": value for key, value in {**QUEUE, **(queue or {})}.items()})
        values.update(files)
        for path, value in values.items():
            self.write(f"{home}/{path}", value)
        for folder in ("holders", "slaves"):
            os.makedirs(os.path.join(self.folder, home, folder), exist_ok=True)
        self.link(f"sys/dev/block/{number}", f"../../devices/{place}/{below}/{name}")
        self.link(f"sys/class/block/{name}", f"../../devices/{place}/{below}/{name}")
        return home

    def partition(self, disk_home, name, number, start, size, **files):
        home = f"{disk_home}/{name}"
        values = {"size": size // 512, "start": start, "partition": 1, "dev": number, "ro": 0,
                  "alignment_offset": 0,
                  "uevent": f"MAJOR={number.split(':')[0]}\nMINOR={number.split(':')[1]}\n"
                            f"DEVNAME={name}\nDEVTYPE=partition", **files}
        for path, value in values.items():
            self.write(f"{home}/{path}", value)
        os.makedirs(os.path.join(self.folder, home, "holders"), exist_ok=True)
        target = "../.." + home[len("sys"):]
        self.link(f"sys/dev/block/{number}", target)
        self.link(f"sys/class/block/{name}", target)

    def disk(self, index, **files):
        name = "sd" + "abcdefghijklmnopqrstuvwxyz"[index]
        host = f"pci0000:00/0000:00:1f.2/ata{index + 1}/host{index}/target{index}:0:0/{index}:0:0:0"
        return name, self.device(name, f"8:{index * 16}", host, 4 * GIB,
                                 **{"device/vendor": "ATA     ", "device/model": "DISK", **files})

    def array(self, level, disks, chunk, data, md=None, queue=None, size=64 * GIB, **files):
        values = {"level": level, "raid_disks": disks, "chunk_size": chunk, "layout": 2,
                  "component_size": 16 * GIB // 1024, "metadata_version": "1.2",
                  "array_state": "clean", "degraded": 0, "sync_action": "idle",
                  "reshape_position": "none", "stripe_cache_size": 256, **(md or {})}
        hints = {"minimum_io_size": chunk, "optimal_io_size": chunk * data, **(queue or {})}
        home = self.device("md0", "9:0", "virtual", size, hints,
                           **{f"md/{key}": value for key, value in values.items()}, **files)
        for index in range(disks):
            name, below = self.disk(index)
            self.link(f"{home}/slaves/{name}", "../../../.." + below[len("sys/devices"):])
            self.link(f"{below}/holders/md0", "../../../../../../../../virtual/block/md0")
        return home


def ask(tree, *args):
    ran = subprocess.run([CLI, "--sysroot", tree.folder, *args], capture_output=True, timeout=60)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


def advice(tree, name, *args):
    status, out, err = ask(tree, name, "--json", "--xfsprogs", "6.1", *args)
    assert out, err
    return status, json.loads(out)["advice"][0]


def ids(item):
    return [finding["id"] for finding in item["findings"]]


def in_tree(check):
    """Runs a check with an empty tree."""
    def run():
        with tempfile.TemporaryDirectory() as folder:
            check(Tree(folder))
    run.__name__ = check.__name__
    return run


LEVELS = [("raid0", 4, 4, 0, -1), ("raid4", 5, 4, 1, 0), ("raid5", 4, 3, 1, 2),
          ("raid6", 8, 6, 2, 2), ("raid10", 4, 2, 0, 258), ("raid10", 4, 4, 0, 513),
          ("raid10", 4, 4, 0, 66049), ("raid10", 5, 5, 0, 258), ("raid10", 6, 2, 0, 259)]


def levels():
    for level, disks, data, parity, layout in LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder)
            tree.array(level, disks, 65536, data, {"layout": layout})
            status, item = advice(tree, "/dev/md0")
            geometry = item["geometry"]
            same((status, geometry["level"], geometry["stripe_unit"], geometry["data_disks"],
                  geometry["parity_disks"], geometry["confidence"], geometry["state"]),
                 (0, level, 65536, data, parity, "fact", "clean"))
            same(item["lines"]["mkfs"], ["mkfs.xfs", "/dev/md0"])
            same(item["filesystem"]["stripe_width_blocks"], 16 * data)


@in_tree
def one_data_disk(tree):
    tree.array("raid5", 2, 65536, 1)
    _, item = advice(tree, "md0")
    same(item["lines"]["mkfs"], ["mkfs.xfs", "-d", "noalign", "/dev/md0"])


@in_tree
def large_physical_sectors(tree):
    """Releases differ in the log stripe unit there, so the line gives it."""
    tree.array("raid5", 5, 65536, 4, queue={"physical_block_size": 4096})
    for release, unit in (("6.1", 65536), ("7.2", 65536)):
        _, out, _ = ask(tree, "md0", "--json", "--xfsprogs", release)
        item = json.loads(out)["advice"][0]
        line = item["lines"]["mkfs"]
        same(line[line.index("-l") + 1], "su=64k")
        same((item["filesystem"]["sector_size"], item["filesystem"]["log_stripe_unit"]),
             (4096, unit))


@in_tree
def degraded(tree):
    tree.array("raid6", 6, 65536, 4, {"degraded": 1})
    status, item = advice(tree, "md0")
    same((status, item["geometry"]["state"], item["geometry"]["data_disks"]), (0, "degraded", 4))
    assert "array-degraded" in ids(item)


@in_tree
def growing(tree):
    tree.array("raid5", 5, 65536, 3, {"raid_disks": "5 (4)", "sync_action": "reshape",
                                     "reshape_position": 3584})
    status, item = advice(tree, "md0")
    same((status, item["geometry"]["known"], item["geometry"]["state"]), (1, True, "reshaping"))
    same(item["lines"]["mkfs"], None)
    text = [f["text"] for f in item["findings"] if f["id"] == "reshape-running"][0]
    assert "raid5 of 5 disks" in text and "64k" in text, text


@in_tree
def chunk_being_changed(tree):
    tree.array("raid6", 6, 65536, 4, {"chunk_size": "131072 (65536)", "layout": "18 (2)"})
    status, item = advice(tree, "md0")
    same((status, item["geometry"]["state"], item["lines"]["mkfs"]), (1, "reshaping", None))


@in_tree
def interim_layout(tree):
    tree.array("raid6", 6, 65536, 4, {"layout": 18, "metadata_version": "0.91"})
    same(advice(tree, "md0")[1]["geometry"]["state"], "reshaping")


@in_tree
def stale_hint(tree):
    tree.array("raid5", 5, 131072, 4, queue={"minimum_io_size": 65536, "optimal_io_size": 524288})
    _, item = advice(tree, "md0")
    assert "hint-stale" in ids(item), ids(item)
    same(item["lines"]["mkfs"][1:3], ["-d", "su=128k,sw=4"])
    said = [message["text"] for message in item["filesystem"]["messages"]]
    same(said, ["mkfs.xfs: Specified data stripe unit 256 is not the same as the volume stripe "
                "unit 128"])


@in_tree
def container(tree):
    tree.device("md127", "9:127", "virtual", 0, **{"md/level": "", "md/array_state": "inactive",
                                                   "md/metadata_version": "external:imsm"})
    status, item = advice(tree, "md127")
    same((status, item["lines"]["mkfs"]), (1, None))
    assert "container-device" in ids(item), ids(item)


@in_tree
def not_started(tree):
    tree.device("md0", "9:0", "virtual", 0, **{"md/level": "", "md/array_state": "inactive",
                                               "md/metadata_version": "1.2"})
    status, item = advice(tree, "md0")
    same((status, item["lines"]["mkfs"]), (1, None))
    assert "array-inactive" in ids(item), ids(item)


@in_tree
def subarray(tree):
    tree.array("raid0", 2, 131072, 2, {"metadata_version": "external:/md127/0"})
    same(advice(tree, "md0")[1]["geometry"]["stripe_unit"], 131072)


@in_tree
def partitions_on_an_array(tree):
    home = tree.array("raid5", 4, 524288, 3)
    tree.partition(home, "md0p1", "259:0", 2048, 32 * GIB)
    tree.partition(home, "md0p2", "259:1", 3072, 16 * GIB)
    tree.partition(home, "md0p3", "259:2", 63, 8 * GIB, alignment_offset=492032)
    _, item = advice(tree, "/dev/md0p1")
    same((item["geometry"]["start"], item["geometry"]["partition_start_sectors"]),
         ("stripe-unit", 3072))
    assert "start-not-full-stripe" in ids(item)
    same(advice(tree, "md0p2")[1]["geometry"]["start"], "full-stripe")
    status, item = advice(tree, "md0p3")
    same((status, item["lines"]["mkfs"], item["geometry"]["start"]), (1, None, "misaligned"))
    assert "start-refused" in ids(item)
    assert "has-partitions" in ids(advice(tree, "md0")[1])


@in_tree
def inconsistent_alignment(tree):
    tree.array("raid5", 4, 65536, 3, alignment_offset=-1)
    status, item = advice(tree, "md0")
    same((status, item["lines"]["mkfs"]), (1, None))
    assert "alignment-inconsistent" in ids(item)
    assert "noalign" in item["lines"]["mkfs_blocked"]["argv"]


@in_tree
def nested(tree):
    home = tree.array("raid5", 3, 65536, 2)
    top = tree.device("md1", "9:1", "virtual", 30 * GIB,
                      **{"md/level": "raid0", "md/raid_disks": 1, "md/chunk_size": 65536})
    tree.link(f"{top}/slaves/md0", "../../md0")
    mapped = tree.device("dm-0", "253:0", "virtual", 30 * GIB)
    tree.link(f"{mapped}/slaves/md0", "../../md0")
    for name in ("md1", "dm-0"):
        status, item = advice(tree, name)
        same((status, item["geometry"]["known"], item["recommended"]["su"]), (3, False, None))
        assert "nested-not-resolved" in ids(item), ids(item)


LUNS = [  # vendor, model, path, hints, physical sector: known, su, data disks, status, finding
    ("AVAGO", "MR9361-8i", "", (65536, 393216), 512, True, 65536, 6, 0, None),
    ("AVAGO", "MR9361-8i", "", (262144, 262144), 512, False, None, None, 3, "facts-missing"),
    ("AVAGO", "MR9361-8i", "", (512, 0), 512, False, None, None, 3, "facts-missing"),
    ("HP", "LOGICAL VOLUME", "", (262144, 2097152), 512, True, 262144, 8, 0, None),
    ("DELL", "PERC H740P Mini", "", (262144, 1048576), 4096, True, 262144, 4, 0, None),
    ("WD", "My Passport", "usb2/2-1/", (4096, 33553920), 512, True, None, 1, 0, "hint-implausible"),
    ("ATA", "SAMSUNG SSD", "", (4096, 33550336), 4096, True, None, 1, 0, "hint-implausible"),
    ("NETAPP", "LUN C-Mode", "", (65536, 65536), 512, True, None, 1, 0, "hint-one-unit"),
    ("NETAPP", "LUN C-Mode", "", (4096, 1048576), 4096, True, None, 1, 0, "hint-implausible"),
    ("SEAGATE", "ST8000NM", "", (4096, 16773120), 4096, True, None, 1, 0, "hint-implausible"),
    ("SEAGATE", "ST8000NM", "", (4096, 4096), 4096, True, None, 1, 0, None),
    ("SEAGATE", "ST8000NM", "", (131072, 1048576), 4096, True, None, 1, 0, "hint-ignored"),
]


def luns():
    for vendor, model, path, hints, physical, known, unit, data, status, finding in LUNS:
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder)
            tree.device("sdb", "8:16", f"pci0000:00/{path}host0/target0:2:0/0:2:0:0", 900 * GIB,
                        {"minimum_io_size": hints[0], "optimal_io_size": hints[1],
                         "physical_block_size": physical},
                        **{"device/vendor": vendor.ljust(8), "device/model": model.ljust(16)})
            got, item = advice(tree, "/dev/sdb")
            what = f"{vendor} {model} {hints}"
            same((what, got, item["geometry"]["known"], item["geometry"]["stripe_unit"],
                  item["geometry"]["data_disks"]), (what, status, known, unit, data))
            assert finding is None or finding in ids(item), (what, ids(item))
            if item["filesystem"]:
                same((what, item["filesystem"]["messages"]), (what, []))


@in_tree
def strip_only_asks(tree):
    tree.device("sdb", "8:16", "pci0000:00/host0/target0:2:0/0:2:0:0", 900 * GIB,
                {"minimum_io_size": 262144, "optimal_io_size": 262144},
                **{"device/vendor": "AVAGO", "device/model": "MR9361-8i"})
    _, item = advice(tree, "sdb")
    same(item["geometry"]["missing"], ["data disks"])
    same((item["recommended"]["su"], item["lines"]["mkfs"]), (None, None))


@in_tree
def nvme_and_others(tree):
    tree.device("nvme0n1", "259:0", "pci0000:00/nvme", 900 * GIB,
                {"minimum_io_size": 16384, "optimal_io_size": 131072, "rotational": 0,
                 "discard_max_bytes": 2199023255040}, below="nvme0")
    tree.write("sys/devices/pci0000:00/nvme/nvme0/dev", "245:0")  # of its controller
    tree.device("vda", "254:0", "pci0000:00/virtio0", 100 * GIB,
                {"minimum_io_size": 262144, "optimal_io_size": 262144})
    tree.device("zd0", "230:0", "virtual", 100 * GIB,
                {"minimum_io_size": 8192, "optimal_io_size": 8192, "physical_block_size": 8192})
    status, item = advice(tree, "nvme0n1")
    same((status, item["lines"]["mkfs"][1:3]), (0, ["-d", "noalign"]))
    same([(m["stream"], m["text"]) for m in item["filesystem"]["messages"]],
         [("stdout", "Discarding blocks...Done.")])
    same(advice(tree, "nvme0n1", "--no-discard")[1]["filesystem"]["messages"], [])
    _, item = advice(tree, "vda")
    same((item["lines"]["mkfs"], item["filesystem"]["ag_count"]), (["mkfs.xfs", "/dev/vda"], 16))
    same(advice(tree, "zd0")[0], 0)


@in_tree
def guards(tree):
    home = tree.array("raid5", 4, 65536, 3)
    tree.write("proc/self/mountinfo",
               "30 1 9:0 / /srv/a\\040b rw,relatime shared:1 - xfs /dev/md0 rw\n"
               "31 1 9:1 / /other rw - xfs /dev/md1 rw\n")
    tree.write(f"{home}/ro", 1)
    tree.link(f"{home}/holders/dm-3", "../../dm-3")
    tree.write("run/udev/data/b9:0", "E:ID_FS_TYPE=ext4\nE:ID_FS_USAGE=filesystem\n"
                                     "E:MD_UUID=a:b:c:d\n")
    status, item = advice(tree, "md0")
    same((status, item["lines"]["mkfs"]), (1, None))
    wanted = {"in-use-mounted", "in-use-holder", "read-only", "signature-found"}
    assert wanted <= set(ids(item)), ids(item)
    assert wanted <= set(item["lines"]["mkfs_blocked"]["by"]), item["lines"]
    assert any("/srv/a b" in finding["text"] for finding in item["findings"])
    _, item = advice(tree, "md0", "--overwrite")
    assert "signature-overwritten" in ids(item) and "signature-found" not in ids(item)


@in_tree
def queue_lines(tree):
    home = tree.array("raid5", 4, 2097152, 3, md={"stripe_cache_size": 256})
    tree.write("run/udev/data/b9:0", "E:MD_UUID=1:2:3:4\nS:disk/by-id/md-uuid-1:2:3:4\n")
    tree.write("run/udev/data/b8:0", "E:ID_SERIAL=DISK_A\n")
    status, item = advice(tree, "md0")
    same(status, 0)
    assert "stripe-cache-below-chunk" in ids(item)
    written = {line["path"]: (line["was"], line["value"]) for line in item["lines"]["queue"]}
    same(written["/sys/block/md0/md/stripe_cache_size"], ("256", "2048"))
    same(written["/sys/block/sda/queue/max_sectors_kb"], ("1280", "2048"))
    assert 'ENV{MD_UUID}=="1:2:3:4", ATTR{md/stripe_cache_size}="2048"' in item["lines"]["udev"]
    assert 'ENV{ID_SERIAL}=="DISK_A", ATTR{queue/max_sectors_kb}="2048"' in item["lines"]["udev"]
    assert item["lines"]["fstab"].startswith("/dev/disk/by-id/md-uuid-1:2:3:4 "), item["lines"]
    _, rules, _ = ask(tree, "md0", "--format", "udev")
    assert item["lines"]["udev"] in rules, rules
    _, script, _ = ask(tree, "md0")
    assert f"echo 2048 >/sys/block/md0/md/stripe_cache_size" in script, script
    tree.write(f"{home}/md/stripe_cache_size", 4096)
    assert "stripe_cache" not in json.dumps(advice(tree, "md0")[1]["lines"]["queue"])


@in_tree
def log_devices(tree):
    """Size, sectors and mirror of a log device; one that is in use; one that is not there."""
    tree.array("raid6", 6, 65536, 4)
    log = tree.device("md10", "9:10", "virtual", 4 * GIB, **{"md/level": "raid1",
                                                            "md/raid_disks": 2})
    tree.write("run/udev/data/b9:10", "S:disk/by-id/md-uuid-5:6:7:8\n")
    tree.device("nvme0n1", "259:9", "pci0000:00/nvme/nvme0", GIB,
                {"logical_block_size": 4096, "physical_block_size": 4096})
    _, item = advice(tree, "md0", "--log-device", "/dev/md10")
    same(item["lines"]["mkfs"][1:], ["-l", "logdev=/dev/md10,size=2038m", "/dev/md0"])
    same(item["lines"]["mount"][1:3], ["-o", "logdev=/dev/disk/by-id/md-uuid-5:6:7:8"])
    assert "x-systemd.requires=/dev/disk/by-id/md-uuid-5:6:7:8" in item["lines"]["fstab"]
    assert not {"log-not-mirrored", "log-size-assumed"} & set(ids(item)), ids(item)
    same((item["filesystem"]["log_blocks"], item["filesystem"]["log_external"]), (521728, True))
    _, item = advice(tree, "md0", "--log-device", "/dev/nvme0n1")
    same(item["lines"]["mkfs"][1:5], ["-l", "logdev=/dev/nvme0n1,size=1g", "-s", "size=4k"])
    status, item = advice(tree, "md0", "--log-device", "/dev/nvme0n1", "--sector-size", "512")
    same((status, item["lines"]["mkfs_blocked"]["by"]), (1, ["log-sector-larger"]))
    _, item = advice(tree, "md0", "--log-device", "/dev/nvme0n1")
    same(item["filesystem"]["messages"], [])
    assert "log-not-mirrored" in ids(item)
    tree.link(f"{log}/holders/dm-7", "../../dm-7")
    status, item = advice(tree, "md0", "--log-device", "/dev/md10")
    same((status, item["lines"]["mkfs"]), (1, None))
    assert "log-device-in-use" in ids(item)
    assert "log-size-assumed" in ids(advice(tree, "md0", "--log-device", "/dev/none")[1])


@in_tree
def capture_equals_host(tree):
    home = tree.array("raid6", 8, 524288, 6)
    tree.partition(home, "md0p1", "259:0", 6144, 32 * GIB)
    tree.write("run/udev/data/b259:0", "E:ID_FS_TYPE=xfs\nE:ID_FS_USAGE=filesystem\n"
                                       "E:ID_FS_UUID=01234567-89ab-cdef-0123-456789abcdef\n")
    capture = subprocess.run([CLI, "capture", "--sysroot", tree.folder, "md0", "md0p1"],
                             capture_output=True, check=True).stdout
    for args in (["--json"], [], ["--format", "table"], ["--format", "fstab"],
                 ["--json", "--workload", "streaming", "--writers", "4"]):
        args = [*args, "--xfsprogs", "6.1"]
        _, direct, _ = ask(tree, "md0", "md0p1", *args)
        ran = subprocess.run([CLI, "--from", "-", *args], input=capture, capture_output=True)
        same(ran.stdout.decode(), direct)


@in_tree
def anonymised(tree):
    tree.array("raid5", 4, 65536, 3)
    tree.write("run/udev/data/b9:0", "E:MD_UUID=a1b2c3d4:e5f60718:293a4b5c:6d7e8f90\n"
                                     "E:MD_NAME=secrethost:0\n")
    args = [CLI, "capture", "--sysroot", tree.folder, "md0", "--anonymise"]
    text = subprocess.run(args, capture_output=True, check=True).stdout
    assert b"secrethost" not in text and b"a1b2c3d4" not in text, text
    ran = subprocess.run([CLI, "--from", "-", "--json"], input=text, capture_output=True)
    same(json.loads(ran.stdout)["advice"][0]["geometry"]["data_disks"], 3)
    same(subprocess.run(args, capture_output=True, check=True).stdout, text)


def refused(tree, args, names, status=4):
    got, out, err = ask(tree, *args)
    same((got, out), (status, ""))
    assert err.count("\n") == 1 and names in err and len(err) < 400, err


BAD_VALUES = [("md/raid_disks", "four"), ("md/chunk_size", "64k"), ("md/chunk_size", "9" * 40),
              ("queue/minimum_io_size", "-1"), ("queue/optimal_io_size", "x" * 1000000),
              ("size", b"12\x0034\n"), ("size", "18446744073709551615"),
              ("alignment_offset", "left"), ("md/level", b"\xff\xfe\n")]


def garbage():
    for path, value in BAD_VALUES:
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder)
            home = tree.array("raid5", 4, 65536, 3)
            tree.write(f"{home}/{path}", value)
            refused(tree, ["md0"], "sys/dev/block/9:0")


@in_tree
def loops_and_strangers(tree):
    home = tree.array("raid5", 4, 65536, 3)
    os.remove(os.path.join(tree.folder, home, "size"))
    tree.link(f"{home}/size", "size")
    refused(tree, ["md0"], "size")
    refused(tree, ["nosuch"], "nosuch")
    refused(tree, ["/dev/../../etc/passwd"], "passwd")
    refused(tree, [""], "device")
    refused(tree, ["a" * 5000], "device")


@in_tree
def udev_cut_in_half(tree):
    tree.array("raid5", 4, 65536, 3)
    tree.write("run/udev/data/b9:0", b"E:MD_UUID=1:2:3:4\nE:ID_F")
    refused(tree, ["md0"], "udev")


def no_sysroot():
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([CLI, "--sysroot", folder, "md0"], capture_output=True)
        same((ran.returncode, ran.stdout), (4, b""))
        assert folder.encode() in ran.stderr, ran.stderr
        ran = subprocess.run([CLI, "--sysroot", folder + "/none", "md0"], capture_output=True)
        same((ran.returncode, ran.stdout), (4, b""))


CAPTURES = ["", "{", "[]", "{}", '{"schema": 2}', '{"schema": 1, "tool": "other"}', "\x00",
            "[" * 100000, "raid5, four disks"]


def bad_captures():
    for text in CAPTURES:
        ran = subprocess.run([CLI, "--from", "-"], input=text.encode(), capture_output=True)
        same((text[:20], ran.returncode, ran.stdout), (text[:20], 4, b""))
        same(ran.stderr.count(b"\n"), 1)
    ran = subprocess.run([CLI, "--from", "/nonexistent"], capture_output=True)
    same((ran.returncode, ran.stdout), (4, b""))
    assert b"/nonexistent: No such file" in ran.stderr, ran.stderr


def main():
    tap = Tap()
    for check in (levels, one_data_disk, large_physical_sectors, degraded, growing, chunk_being_changed, interim_layout,
                  stale_hint, container, not_started, subarray, partitions_on_an_array, inconsistent_alignment,
                  nested, luns, strip_only_asks, nvme_and_others, guards, queue_lines, log_devices,
                  capture_equals_host, anonymised, garbage, loops_and_strangers,
                  udev_cut_in_half, no_sysroot, bad_captures):
        tap.check(check.__name__.replace("_", " "), check)
    tap.finish()


if __name__ == "__main__":
    main()
