# SPDX-License-Identifier: LGPL-2.1-or-later
"""Seeded random descriptions whose lines are made and mounted for real (see mounted.py).

One seed and number give one case. Most logs are small, for they are really written. It runs
nothing, and knows no rule: what gets no line is for the CLI to say.
"""
import collections
import random
import uuid

import cases

KIB, MIB, GIB, TIB = cases.KIB, cases.MIB, cases.GIB, cases.TIB
PAIRS = [(level, workload) for level in cases.LEVELS for workload in cases.WORKLOADS]
LABELS = ("m%d", "m %d", "#m%d", "m,%d", "m=%d'", 'm"%d', "m\\%d", "\u00fc%d")
MOUNTPOINTS = ("mnt", "m t", "m#t", "m\tt", "m\\t", "m\u00fct", "m,t", "m'\"t")

Case = collections.namedtuple("Case", "number level workload keys size sector rotational words "
                              "log_size log_sector label uuid mountpoint large repair")


def draw_size(rng, unit):
    pick = rng.random()
    if pick < 0.78:
        size = cases.log_uniform(rng, GIB, 256 * GIB)
        size = size // MIB * MIB if cases.chance(rng, 0.4) else size
    elif pick < 0.86:
        size = rng.choice((1, 8, 64, 128, 256)) * GIB + rng.choice((0, unit, rng.randint(0, MIB)))
    else:
        size = rng.choice((16 * TIB, cases.log_uniform(rng, 256 * GIB, 16 * TIB)))
    return size // unit * unit


def draw_keys(rng, case):
    """What the description says; a linear array's size is now and then told by its disks."""
    level, size, sector = case["level"], case["size"], case["sector"]
    keys = cases.shape(rng, level)
    if level not in ("none", "linear", "raid1"):
        keys.append(f"chunk={rng.choice(cases.CHUNKS) // KIB}k")
    if level in ("raid5", "raid6") and cases.chance(rng, 0.5):
        keys.append(f"layout={rng.choice(('left-symmetric', 'right-asymmetric'))}")
    offset = 0
    if cases.chance(rng, 0.08):
        offset = rng.choice((63, 128, 256, 384)) * sector
        keys.append(f"offset={offset}")
    if level == "linear" and cases.chance(rng, 0.5):
        disks = int(keys[0].split("=")[1])
        each = size // disks // sector * sector
        case["size"] = each * disks - offset
        keys.append(f"disk-size={each}")
    else:
        keys.append(f"size={size}")
    case["keys"] = keys + ([f"sector={sector}"] if sector != 512 else [])


def draw_log(rng, case, words):
    """The sizes of the log and its device; most keep small what is written for real."""
    big = case["size"] > 256 * GIB
    external = cases.chance(rng, 0.35 if big else 0.12)
    size = rng.choice((64 * MIB, 64 * MIB, 100 * MIB, 128 * MIB, 256 * MIB,
                       rng.randint(16384, 40000) * 4 * KIB))
    if external and cases.chance(rng, 0.05):
        case["log_size"] = 600 * MIB
    elif external or cases.chance(rng, 0.85 if big else 0.08):
        words += ["--log-size", f"{size // KIB}k"]
        case["log_size"] = external and size + rng.choice((0, 0, 4 * KIB, 13 * MIB))
    if cases.chance(rng, 0.2):
        case["log_sector"] = rng.choice((512, 4096))


def draw_words(rng):
    """Further options of the CLI, each now and then."""
    words = ["--full"] if cases.chance(rng, 0.15) else []
    for name, share, values in (("--no-discard", 0.05, None), ("--overwrite", 0.1, None),
                                ("--writers", 0.4, (1, 2, 4, 16, 64, 200)),
                                ("--file-size", 0.4, ("64k", "100m", "1g", "20g")),
                                ("--sector-size", 0.08, (512, 4096)),
                                ("--block-size", 0.06, ("1k", "2k", "8k", "16k", "64k")),
                                ("--agcount", 0.03, (2, 8, 33))):
        if cases.chance(rng, share):
            words += [name] if values is None else [name, str(rng.choice(values))]
    return words


def draw(seed, number):
    rng = random.Random(f"{seed}:mounted:{number}")
    level, workload = PAIRS[number % len(PAIRS)]
    sector = 4096 if cases.chance(rng, 0.25) else 512
    words = ["--workload", workload, *draw_words(rng)]
    case = {"number": number, "level": level, "workload": workload, "words": words,
            "size": draw_size(rng, sector), "sector": sector, "log_size": 0,
            "log_sector": sector, "rotational": rng.choice((None, 0, 1))}
    draw_keys(rng, case)
    draw_log(rng, case, words)
    case["label"] = rng.choice(LABELS) % (number % 1000000) if cases.chance(rng, 0.3) else None
    name = uuid.UUID(int=rng.getrandbits(128), version=4)
    case["uuid"] = str(name) if cases.chance(rng, 0.3) else None
    case["mountpoint"] = rng.choice(MOUNTPOINTS) if cases.chance(rng, 0.5) else None
    return Case(**case, large=cases.chance(rng, 0.3), repair=cases.chance(rng, 0.12))
