#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measured systems of public reports: the stripe that was right there, and the line run with -N.

The reports: see data/evidence.json (chin2010, chinner2007, atlas2016). Writes TAP.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from tap import Tap

CLI, MKFS = sys.argv[1:3]
TB = 10**12
RECORDS = [  # description, su, sw
    (f"raid0:disks=14,chunk=128k,size={14 * TB}", 131072, 14),
    (f"raid0:disks=12,chunk=128k,size={12 * TB}", 131072, 12),
    (f"raid5:disks=14,chunk=128k,size={13 * TB}", 131072, 13),
    (f"raid5:disks=10,chunk=128k,size={9 * TB}", 131072, 9),
    (f"raid6:disks=10,chunk=128k,size={8 * TB}", 131072, 8),
    ("raid6:disks=14,chunk=128k,size=12001920000000", 131072, 12),
    (f"raid0:disks=4,chunk=512k,size={TB}", 524288, 4),
    (f"raid0:disks=8,chunk=512k,size={2 * TB}", 524288, 8),
    (f"raid0:disks=12,chunk=512k,size={3 * TB}", 524288, 12),
    ("raid10n2:disks=12,chunk=512k,size=36006244909056,sector=4096", 524288, 6),
    ("raid10:disks=4,chunk=256k,size=1999990000000", 262144, 2),
    ("raid60:disks=42,legs=3,chunk=128k,size=400t", 1572864, 3),
    ("none:size=1000000000000", None, None),
]


def record(description, unit, width, release):
    ran = subprocess.run([CLI, "--geometry", description, "--xfsprogs", release, "--json"],
                         capture_output=True, check=True)
    item = json.loads(ran.stdout)["advice"][0]
    assert (item["recommended"]["su"], item["recommended"]["sw"]) == (unit, width), item
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as image:
        os.truncate(image.name, item["size"] // 512 * 512)
        words = [MKFS, "-N", *item["lines"]["mkfs_options"], image.name]
        made = subprocess.run(words, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    predicted = [message["text"] for message in item["filesystem"]["messages"]]
    assert made.stderr.splitlines() == predicted, made.stderr
    table = {key: int(value) for key, value in
             re.findall(r"(agcount|agsize|blocks|sunit|swidth)=(\d+)", made.stdout)[:5]}
    expected = item["filesystem"]
    assert (table["agcount"], table["agsize"], table["blocks"]) == (
        expected["ag_count"], expected["ag_size_blocks"], expected["blocks"]), made.stdout
    assert (table["sunit"], table["swidth"]) == (
        expected["stripe_unit_blocks"], expected["stripe_width_blocks"]), made.stdout


def main():
    said = subprocess.run([MKFS, "-V"], capture_output=True, text=True, check=True).stdout
    tap = Tap()
    for description, unit, width in RECORDS:
        tap.check(description, record, description, unit, width, said.split()[-1])
    tap.finish()


if __name__ == "__main__":
    main()
