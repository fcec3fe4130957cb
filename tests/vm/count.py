#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""In a guest with 12 disks: what advice on one md array costs, beside other tools. Writes TAP.

Instructions by callgrind, system calls by strace, memory as the kernel accounts it.
"""
import os
import re
import subprocess
import sys

CLI = sys.argv[1]
ARRAY = "/dev/md0"
BUDGET = {"instructions": 1500000, "system calls": 800, "KiB": 4096}
TOOLS = [["lsblk", "-J", "-O", ARRAY], ["blkid", "-i", ARRAY], ["mkfs.xfs", "-N", ARRAY],
         ["mdadm", "--detail", ARRAY]]


def make_array():
    disks = os.environ["DISKS"].split()[:12]
    subprocess.run(["mdadm", "-q", "--create", ARRAY, "--run", "--assume-clean", "-l", "6", "-c",
                    "512", "-n", "12", *disks], check=True)
    subprocess.run(["udevadm", "settle"], check=True)


def instructions(argv):
    ran = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--",
                          *argv], capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", ran.stderr).group(1))


def system_calls(argv):
    log = "/tmp/strace.log"
    subprocess.run(["strace", "-f", "-o", log, "--", *argv], capture_output=True)
    with open(log, encoding="utf-8", errors="replace") as handle:
        return sum("(" in line and "resumed>" not in line for line in handle)


def memory_kib(argv):
    """Started by a small program: what started it counts as its memory too."""
    ran = subprocess.run(["/usr/bin/time", "-f", "%M", *argv], capture_output=True, text=True)
    return int(ran.stderr.splitlines()[-1])


def main():
    # The test runner lets malloc fill memory and the loader search, which would be counted.
    os.environ.pop("MALLOC_PERTURB_", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    make_array()
    own = [CLI, ARRAY, "--json", "--xfsprogs", "6.1"]
    counts = {"instructions": instructions(own), "system calls": system_calls(own),
              "KiB": memory_kib(own)}
    failed = 0
    print(f"1..{len(counts)}")
    for number, (what, count) in enumerate(counts.items(), 1):
        good = count <= BUDGET[what]
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - advice on an array of 12 disks: "
              f"{count:,} {what} of {BUDGET[what]:,}")
    for argv in TOOLS:
        print(f"# {' '.join(argv)}: {instructions(argv):,} instructions, "
              f"{system_calls(argv):,} system calls, {memory_kib(argv):,} KiB")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
