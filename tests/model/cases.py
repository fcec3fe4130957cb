# SPDX-License-Identifier: LGPL-2.1-or-later
"""Seeded random cases for the comparison of the model with real versions of mkfs.xfs.

One seed, kind and number give one case, whatever else runs. It runs nothing and knows no rule of
mkfs.xfs: good, odd and refused values are drawn alike. Keys that start with "_" stay here.
"""
import random

KIB, MIB, GIB, TIB = 1 << 10, 1 << 20, 1 << 30, 1 << 40
SMALLEST, LARGEST = 300 * MIB, 500 * TIB
ANCHORS = (SMALLEST, GIB, 8 * GIB, 128 * GIB, 512 * GIB, TIB, 4 * TIB, 32 * TIB, 50 * TIB)
LOG_MOST = 2136997888
CHUNKS = [kib * KIB for kib in (4, 8, 16, 20, 32, 36, 48, 64, 64, 96, 128, 128, 192, 256, 256, 320,
                                384, 512, 512, 640, 1024, 2048, 4096)]
ODD_CHUNKS = [512, 1000, 2048, 6 * KIB, 8 * MIB, 32 * MIB, 96 * MIB, 512 * MIB, GIB, 2 * GIB]
LEVELS = ("raid0", "raid1", "raid4", "raid5", "raid6", "raid10", "raid10n2", "raid10f2",
          "raid10o2", "raid50", "raid60", "linear", "none")
WORKLOADS = ("general", "streaming", "small-files", "database", "vm-images", "backup")
FEATURES = ("mkfs.meta.rmapbt", "mkfs.meta.reflink", "mkfs.meta.finobt", "mkfs.meta.bigtime",
            "mkfs.meta.inobtcount", "mkfs.inode.nrext64", "mkfs.inode.exchange",
            "mkfs.naming.parent")
# minimum and optimal I/O size as drivers, controllers and broken bridges report them
HINTS = ((65536, 262144), (524288, 3145728), (131072, 131072), (65536, 65536), (512, 33553920),
         (4096, 33553920), (8192, 33553920), (4096, 4294966784), (65536, 4294963200), (65536, 0),
         (65536, 100000), (2048, 8192), (131072, 65536), (65536, 2147418112), (4096, 65536),
         (1048576, 2147483648), (4096, 4096), (98304, 294912), (16384, 131072), (524288, 524288))


def chance(rng, share):
    return rng.random() < share


def log_uniform(rng, low, high):
    return int(low * (high / low) ** rng.random())


def cpu_count(rng):
    return rng.choice((1, 2, 3, 4, 8, 12, 16, 24, 32, 33, 64, 96, 128, 256, 300, 512,
                       rng.randint(1, 512)))


def chunk(rng):
    pick = rng.random()
    if pick < 0.03:
        return rng.choice(ODD_CHUNKS)
    if pick < 0.15:
        return rng.randint(1, 1024) * 4 * KIB
    return rng.choice(CHUNKS)


def device_size(rng, unit, stripe_unit):
    """A size in whole units; half of them within two stripe units of where a rule changes."""
    if chance(rng, 0.5):
        reach = 2 * (stripe_unit or 64 * KIB)
        size = rng.choice(ANCHORS) + rng.choice((0, rng.randint(-reach, reach), -unit, unit))
    else:
        size = log_uniform(rng, SMALLEST, LARGEST)
    return min(max(size, 64 * MIB), LARGEST) // unit * unit


def data_disks(rng):
    """Data disks of an array of a random level, 1 to 36."""
    redundancy = rng.choice((0, 1, 1, 2, 2))
    disks = rng.randint(redundancy + 1, 36)
    if chance(rng, 0.2):
        return max(1, disks // 2)
    return disks - redundancy


def add_stripe(rng, options):
    pick = rng.random()
    if pick < 0.15:
        return
    if pick < 0.20:
        options["mkfs.data.noalign"] = 1
        if pick < 0.195:
            return
    options["mkfs.data.su"] = chunk(rng)
    options["mkfs.data.sw"] = data_disks(rng)
    if chance(rng, 0.02):
        del options[rng.choice(("mkfs.data.su", "mkfs.data.sw"))]
    elif chance(rng, 0.01):
        options[rng.choice(("mkfs.data.su", "mkfs.data.sw"))] = 0
    elif chance(rng, 0.01):
        options["mkfs.data.sw"] = rng.choice((100, 1000, 8192, 65536, 4194304, 4294967295))


def add_blocks(rng, options):
    """Block and sector size; mostly such that the stripe unit and the sectors suit the blocks."""
    if chance(rng, 0.3):
        block = options["mkfs.block.size"] = rng.choice((1, 2, 4, 8, 16, 32, 64)) * KIB
        if options.get("mkfs.data.su", 0) % block and chance(rng, 0.9):
            options["mkfs.data.su"] = -(-options["mkfs.data.su"] // block) * block
    pick = rng.random()
    if pick < 0.3:
        options["mkfs.sector.size"] = 512 if pick < 0.06 else 4096
        if options.get("mkfs.block.size", 4096) < 4096 and chance(rng, 0.8):
            del options["mkfs.sector.size"]
    if chance(rng, 0.01):
        options["mkfs.block.size"] = rng.choice((512, 5000, 128 * KIB, 100))
    if chance(rng, 0.01):
        options["mkfs.sector.size"] = rng.choice((1024, 2048, 8192, 32768, 65536, 1000, 100))


def add_groups(rng, options, size):
    """Allocation groups asked for, by count or by size: even, odd, and not possible."""
    block = options.get("mkfs.block.size", 4096)
    stripe_unit = options.get("mkfs.data.su") or block
    width = stripe_unit * options.get("mkfs.data.sw", 1) or block
    pick = rng.random()
    if pick < 0.10:
        options["mkfs.data.agcount"] = rng.choice((
            2, 4, 8, 16, 32, 33, 50, 64, rng.randint(2, 60), rng.randint(2, 60),
            rng.randint(2, 300), size // TIB + 1, max(1, size // (100 * MIB)),
            rng.choice((0, 1, 1000, 5000000000, size // (16 * MIB), size // stripe_unit))))
    if 0.097 < pick < 0.20:
        fits = log_uniform(rng, min(80 * MIB, size // 3), min(size, TIB))
        options["mkfs.data.agsize"] = rng.choice((
            fits // block * block, fits // block * block, fits // 4096 * 4096, GIB, 64 * GIB,
            max(1, fits // stripe_unit) * stripe_unit, max(1, fits // width) * width,
            max(1, fits // width) * width, max(1, fits // stripe_unit) * stripe_unit + block,
            TIB - block, rng.choice((fits, fits // 512 * 512, 8 * MIB, 16 * MIB, 40 * MIB, TIB,
                                     TIB - 1, 2 * TIB, size, size + block))))


def add_crowd(rng, case, options):
    """So many groups of a large stripe unit that, rounded up to it, they may not all fit."""
    case["size"] = log_uniform(rng, 2 * GIB, 100 * GIB) // 4096 * 4096
    options.update({"mkfs.data.su": rng.randint(1, 64) * MIB, "mkfs.data.sw": rng.randint(1, 6),
                    "mkfs.data.agcount": case["size"] // (rng.randint(66, 200) * MIB) or 2})
    for name in ("mkfs.data.agsize", "mkfs.data.noalign", "mkfs.block.size"):
        options.pop(name, None)


def log_size(rng):
    return rng.choice((
        64 * MIB, 128 * MIB, 300 * MIB, 512 * MIB, GIB, LOG_MOST, 64 * MIB + 4096,
        rng.randint(64 * KIB, 512 * KIB) * KIB, rng.randint(16384, 521728) * 4096,
        rng.randint(512, 16304) * 128 * KIB, rng.randint(512, 4096) * 128 * KIB,
        rng.choice((MIB, 2 * MIB, 10 * MIB, 32 * MIB, 64 * MIB - 4096, 100000000, LOG_MOST + 512,
                    2 * GIB, 4 * GIB))))


def add_log(rng, case, options):
    if chance(rng, 0.12):
        options["mkfs.log.su"] = rng.choice((
            4096, 4096, 8192, 16384, 32768, 32768, 65536, 65536, 98304, 131072, 262144, 262144,
            12288, rng.randint(1, 64) * 4096, rng.choice((6144, 512, 100, 0, 524288))))
    if chance(rng, 0.08):
        options["mkfs.log.size"] = log_size(rng)
    if chance(rng, 0.08):
        options["mkfs.log.logdev"] = "LOGPATH"
        size = rng.choice((64 * MIB, 128 * MIB, 512 * MIB, GIB, GIB + 512, LOG_MOST, 3 * GIB,
                           rng.randint(128 * 1024, 4000000) * 512,
                           rng.choice((32 * MIB, LOG_MOST + 4096, 10 * GIB, 5 * TIB))))
        case["log_device_size"] = size
        if chance(rng, 0.5):
            options["mkfs.log.size"] = rng.choice((log_size(rng), 64 * MIB, size // 4096 * 4096))
    if chance(rng, 0.15 if "mkfs.log.logdev" in options else 0.015):
        options["mkfs.log.sectsize"] = rng.choice((512, 512, 4096, 4096, 1024, 8192, 32768, 100))


def add_features(rng, options):
    if chance(rng, 0.03):
        options["mkfs.label"] = rng.choice(("x", "data 1", "twelve_chars", "thirteen_char"))
    if chance(rng, 0.08):
        for name in rng.sample(FEATURES, rng.randint(1, 3)):
            options[name] = rng.randint(0, 1)


def model_case(rng):
    """Options on a regular file, where mkfs.xfs probes nothing but the kind of storage."""
    options = {}
    case = {"size": 0, "logical": 512, "physical": 512, "io_min": 0, "io_opt": 0,
            "alignment_offset": 0, "regular_file": True,
            "rotational": rng.choice((True, False, False, None)), "cpus": cpu_count(rng)}
    add_stripe(rng, options)
    add_blocks(rng, options)
    unit = max(512, options.get("mkfs.sector.size", 512))
    case["size"] = device_size(rng, unit, options.get("mkfs.data.su", 0))
    add_groups(rng, options, case["size"])
    if chance(rng, 0.04):
        add_crowd(rng, case, options)
    add_log(rng, case, options)
    add_features(rng, options)
    case["options"] = options
    return case


def device_case(rng):
    """A block device with what it reports of itself; an external log is on one of the same kind."""
    case = model_case(rng)
    options = case["options"]
    if chance(rng, 0.7):
        for name in ("mkfs.data.su", "mkfs.data.sw", "mkfs.data.noalign"):
            options.pop(name, None)
    if chance(rng, 0.7):
        options.pop("mkfs.sector.size", None)
    case["logical"], case["physical"] = rng.choice(
        ((512, 512), (512, 512), (512, 4096), (512, 4096), (4096, 4096), (512, 65536)))
    if case["logical"] > options.get("mkfs.block.size", 4096) and chance(rng, 0.8):
        del options["mkfs.block.size"]
    if chance(rng, 0.5):
        case["io_min"] = chunk(rng)
        case["io_opt"] = case["io_min"] * data_disks(rng)
    else:
        case["io_min"], case["io_opt"] = rng.choice(HINTS + ((case["physical"], 0),) * 8)
    case["size"] = device_size(rng, case["logical"], min(case["io_min"], 64 * MIB))
    case["regular_file"] = False
    if chance(rng, 0.03):
        case["alignment_offset"] = rng.choice((512, 3584, 32768))
    if "log_device_size" in case:
        case["log_device_size"] = case["log_device_size"] // case["logical"] * case["logical"]
        case["log_device_logical"] = case["logical"]
        case["log_device_physical"] = case["physical"]
        case["log_device_io_min"] = case["io_min"]
    return case


def shape(rng, level):
    """The keys of a description that say how many disks there are."""
    if level == "none":
        return []
    if level in ("raid50", "raid60"):
        legs = rng.randint(2, 4)
        return ["disks=%d" % (legs * rng.randint(3 if level == "raid50" else 4, 12)),
                "legs=%d" % legs]
    least = {"raid0": 1, "raid4": 2, "raid5": 2, "raid6": 4, "linear": 1}.get(level, 2)
    return ["disks=%d" % rng.randint(least, 36)]


BAD_GEOMETRIES = ("raid7:disks=4,chunk=64k,size=1t", "raid5:disks=0,chunk=64k,size=1t",
                  "raid5:disks=1,chunk=64k,size=1t", "raid6:disks=8,chunk=0,size=1t",
                  "raid6:disks=8,chunk=6000,size=1t", "raid0:disks=4,chunk=64k,size=12x",
                  "raid0:disks=4,chunk=64k,size=-5", "raid0:disks=4,chunk=64k,data=3,size=1t", "")


def add_request(rng, case):
    request = {"workload": rng.choice(WORKLOADS)}
    if chance(rng, 0.3):
        request["writers"] = rng.choice((1, 2, 4, 16, 64, 200, rng.randint(1, 1000)))
    if chance(rng, 0.2):
        request["file_size"] = rng.choice((4096, 200000, MIB, 64 * MIB, GIB, 20 * GIB))
    pick = rng.random()
    if pick < 0.06:
        request["agcount"] = rng.choice((2, 8, 32, 33, 64, 500, rng.randint(2, 300)))
    elif pick < 0.1:
        request["agsize"] = rng.choice((GIB, 16 * GIB, 256 * GIB, rng.randint(64, 4096) * MIB))
    if chance(rng, 0.06):
        request["log_device"] = "LOGPATH"
        case["log_device_size"] = rng.choice((512 * MIB, GIB, LOG_MOST, 3 * GIB, 10 * GIB))
    if chance(rng, 0.05):
        request["sector_size"] = rng.choice((512, 4096))
    if chance(rng, 0.05):
        request["label"] = rng.choice(("x", "data 1"))
    if chance(rng, 0.05):
        request["block_size"] = rng.choice((1024, 2048, 8192, 16384, 65536))
    if chance(rng, 0.05):
        request["uuid"] = "01234567-89ab-cdef-0123-456789abcdef"
    for switch, share in (("full", 0.15), ("no_discard", 0.05), ("overwrite", 0.05)):
        if chance(rng, share):
            request[switch] = True
    case["request"] = request


def advice_case(rng):
    """A described array and what is asked of it, over all levels and workloads."""
    level = rng.choice(LEVELS)
    stripe_unit = 4096 * (1 << rng.randint(2, 9)) if chance(rng, 0.8) else rng.choice(CHUNKS)
    sector = rng.choice((None, None, "512", "512/4096", "4096"))
    logical = int((sector or "512").split("/")[0])
    size = device_size(rng, logical, stripe_unit)
    rotational = rng.choice((0, 1, 1, None))
    keys = shape(rng, level)
    if level not in ("none", "linear", "raid1"):
        keys.append("chunk=%dk" % (stripe_unit // KIB))
    if level == "linear" and chance(rng, 0.5):
        disks = int(keys[0].split("=")[1])
        size = size // disks // 512 * 512 * disks
        keys.append("disk-size=%d" % (size // disks))
    else:
        keys.append("size=%d" % size)
        if chance(rng, 0.1):
            keys.append("offset=%d" % rng.choice((32256, 65536, 1048576, stripe_unit)))
    if level in ("raid5", "raid6") and chance(rng, 0.5):
        keys.append("layout=%s" % rng.choice(("left-symmetric", "right-asymmetric")))
    if sector:
        keys.append("sector=%s" % sector)
    if rotational is not None:
        keys.append("rotational=%d" % rotational)
    case = {"geometry": "%s:%s" % (level, ",".join(keys)), "cpus": cpu_count(rng),
            "kernel": rng.choice(("4.19", "5.10", "5.15", "6.1", "6.6", "6.12", "6.18", None)),
            "_size": size, "_logical": logical, "_rotational": rotational is None or rotational,
            "_physical": int((sector or "512").split("/")[-1])}
    add_request(rng, case)
    if chance(rng, 0.01):
        case["geometry"] = rng.choice(BAD_GEOMETRIES)
        case["_expect_error"] = True
    return {name: value for name, value in case.items() if value is not None}


KINDS = {"options": model_case, "device": device_case, "advice": advice_case}


def make(seed, kind, number):
    case = KINDS[kind](random.Random("%s:%s:%d" % (seed, kind, number)))
    case["_id"] = "%s:%s:%d" % (seed, kind, number)
    return case


def as_sent(case, version):
    """What the predictor gets to see."""
    sent = {name: value for name, value in case.items() if not name.startswith("_")}
    return dict({"xfsprogs": version}, **sent)
