#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes and mounts what the CLI prints, with the kernel that runs. Needs root; writes TAP.

Each case is one description, drawn by seed and number. Its lines are run as they are printed, on
loop devices of their own: mkfs.xfs says what was predicted and leaves the predicted superblock,
mount and the line for fstab take, and the kernel shows, the options that were asked for. With
--features: what mkfs.xfs makes by itself mounts as its features say, what we print always does.
"""
import argparse
import collections
import ctypes
import errno
import fcntl
import glob
import importlib
import json
import multiprocessing
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import cases  # noqa: E402
import compare  # noqa: E402
import mkfs  # noqa: E402

drawn = importlib.import_module("mounted-cases")
KIB, MIB, GIB = cases.KIB, cases.MIB, cases.GIB
PAIRS = drawn.PAIRS
TRIES = 5                               # numbers of a batch for each line of it
MOST_LOG, FREE_FOR_LARGE = 300 * MIB, 6 * GIB      # what is written of most cases; for others
MOST_REPAIRED = 256 * GIB
NEW_FORMAT = (6, 10)                    # the first xfs_repair that reads exchange and parent
PAGE, LARGE_BLOCKS = os.sysconf("SC_PAGE_SIZE"), (6, 12)    # the first with blocks above a page
LOG_BUFFER = 32 * KIB                   # the least that the kernel takes by itself
NOT_OURS = {"attr2", "seclabel"}        # shown by some kernels, whatever was asked
# name of a feature in the JSON: (offset in the superblock, bit, kernel that mounts it)
FEATURES = {"finobt": (212, 0x1, (3, 16)), "rmapbt": (212, 0x2, (4, 8)),
            "reflink": (212, 0x4, (4, 9)), "inobtcount": (212, 0x8, (5, 10)),
            "sparse": (216, 0x2, (4, 2)), "bigtime": (216, 0x8, (5, 10)),
            "nrext64": (216, 0x20, (5, 19)), "exchange": (216, 0x40, (6, 10)),
            "parent": (216, 0x80, (6, 10))}
REFUSED = re.compile(r"unknown (incompatible|read-only compatible) features")
LOOP_CONFIGURE, LOOP_CLEAR, LOOP_GET_FREE = 0x4C0A, 0x4C01, 0x4C82
PROGRAMS = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"

Verdict = collections.namedtuple("Verdict", "kind tags told found")
worker = None


def release_of(text):
    """The numbers of a version, "6.18.44-x": (6, 18)."""
    return tuple(int(part) for part in re.search(r"(\d+)\.(\d+)", text).groups())


KERNEL, OLD = release_of(os.uname().release), (6, 1)


# ---- Devices, and programs on them ---------------------------------------------------------

class Loop:
    """A loop device on a sparse file of its own; a context manager."""

    def __init__(self, path, size, sector, rotational=1):
        self.file, self.size, self.sector, self.rotational = path, size, sector, rotational

    def __enter__(self):
        with open(self.file, "wb") as file:
            file.truncate(self.size)
        while not self.attach():
            time.sleep(0.01)
        with open(f"/sys/block/{self.path[5:]}/queue/rotational", "w", encoding="ascii") as file:
            file.write(str(self.rotational))
        return self

    def attach(self):
        """Takes the next free device; False if another program was quicker."""
        with open("/dev/loop-control", "rb") as control, open(self.file, "r+b") as file:
            self.path = f"/dev/loop{fcntl.ioctl(control, LOOP_GET_FREE)}"
            with open(self.path, "r+b") as device:
                try:
                    fcntl.ioctl(device, LOOP_CONFIGURE,
                                struct.pack("II", file.fileno(), self.sector) + bytes(296))
                except OSError as error:
                    if error.errno != errno.EBUSY:
                        raise
                    return False
        return True

    def __exit__(self, *_):
        detach(self.path)
        os.unlink(self.file)


def detach(path):
    with open(path, "rb") as device:
        fcntl.ioctl(device, LOOP_CLEAR)


def run(argv, told=None, path=None, **options):
    """Runs a program, and tells its words; path: what is run in place of the first of them."""
    if told is not None:
        told.append(shlex.join(argv))
    env = {"LC_ALL": "C.UTF-8", "PATH": PROGRAMS, "BLKID_FILE": "/dev/null"}
    return subprocess.run([path or argv[0], *argv[1:]], env=env, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, **options)


def said(ran):
    return f"status {ran.returncode}: {(ran.stderr or ran.stdout).strip()}"


def unescaped(text):
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal.group(1), 8)), text)


def mounts():
    """(device, mount point, options) of each mount, in order."""
    with open("/proc/self/mounts", encoding="utf-8", errors="replace") as file:
        for line in file:
            words = line.split(" ")
            yield words[0], unescaped(words[1]), words[3].split(",")


def sweep(scratch):
    """Takes away what cases that were broken off left behind."""
    for _, where, _ in list(mounts()):
        if where.startswith(scratch + "/"):
            run(["umount", where])
    for name in glob.glob("/sys/block/loop*/loop/backing_file"):
        with open(name, encoding="utf-8", errors="replace") as file:
            if file.read().startswith(scratch + "/"):
                detach("/dev/" + name.split("/")[3])


# ---- What must come out --------------------------------------------------------------------

def superblock_of(path):
    """The superblock's figures under the JSON's names, with label, UUID and features."""
    found = mkfs.superblock_of(path)
    if not found:
        return {}
    with open(path, "rb") as file:
        raw = file.read(512)
    plain = raw[32:48].hex()
    found["log_start_block"] = found["log_start_block"] or None
    found["label"] = raw[108:120].rstrip(b"\0").decode("utf-8", "replace")
    found["uuid"] = "-".join((plain[:8], plain[8:12], plain[12:16], plain[16:20], plain[20:]))
    found["features"] = {name: bool(struct.unpack_from(">I", raw, at)[0] & bit)
                         for name, (at, bit, _) in FEATURES.items()}
    return found


def unlike(what, expected, got):
    return [] if expected == got else [f"{what}: expected {expected!r}, got {got!r}"]


def unlike_superblock(case, predicted, got):
    """The superblock beside the prediction; the label is empty and the UUID any unless asked."""
    if not got:
        return ["no superblock"]
    expected = {**predicted, "label": case.label or "", "uuid": case.uuid or got["uuid"],
                "features": {**dict.fromkeys(FEATURES, False), **predicted["features"]}}
    return [line for name, value in got.items()
            for line in unlike(f"superblock: {name}", expected.get(name), value)]


def unlike_messages(case, ran, predicted, names):
    """What mkfs.xfs said beside its table; of a described device it is not known to discard."""
    out, err = ran.stdout, ran.stderr
    for path, word in names.items():
        out, err = out.replace(path, word), err.replace(path, word)
    got = [one for one in mkfs.Result(0, out, err).messages
           if "--no-discard" in case.words or one[1] != "Discarding blocks...Done."]
    expected = [(stream, line.replace("LOGPATH", "LOGDEVICE"))
                for stream, line in compare.normal(predicted)]
    return [line for stream in ("stdout", "stderr")
            for line in unlike(stream, [text for s, text in expected if s == stream],
                               [text for s, text in got if s == stream])]


def bytes_of(text):
    return int(text[:-1]) << {"k": 10, "m": 20, "g": 30}[text[-1]]


def shown_options(asked, made):
    """What the kernel shows of a mount with these options and the file system that was made."""
    given = dict(option.partition("=")[::2] for option in asked if option != "defaults")
    buffer = given.pop("logbsize", None)
    size = bytes_of(buffer) if buffer else max(LOG_BUFFER, made["log_stripe_unit"])
    shown = {"rw", "inode64", "noquota", "logbufs=8", f"logbsize={size // KIB}k"}
    shown.add("relatime" if "noatime" not in given else "noatime")
    if "allocsize" in given:
        shown.add(f"allocsize={bytes_of(given.pop('allocsize')) // KIB}k")
    if made["stripe_unit_blocks"]:
        sectors = made["block_size"] // 512
        shown |= {f"sunit={made['stripe_unit_blocks'] * sectors}",
                  f"swidth={made['stripe_width_blocks'] * sectors}"}
    return shown | {name + ("=" + value if value else "") for name, value in given.items()}


def unlike_mount(what, device, where, expected):
    found = [one for one in mounts() if one[1] == where][-1:]
    if not found:
        return [f"{what}: nothing is mounted on {where}"]
    shown = set(found[0][2]) - NOT_OURS
    return unlike(f"{what}: device", device, found[0][0]) + \
        unlike(f"{what}: options", sorted(expected), sorted(shown))


# ---- One case ------------------------------------------------------------------------------

class Worker:
    """What one process needs: its own folder, and what to run."""

    def __init__(self, args, scratch):
        self.args, self.folder = args, tempfile.mkdtemp(dir=scratch)
        self.file = os.path.join(self.folder, "data")
        self.installed = release_of(run(["xfs_repair", "-V"]).stdout)

    def mountpoint(self, case):
        path = os.path.join(self.folder, case.mountpoint or "mnt")
        os.makedirs(path, exist_ok=True)
        return path


def start_worker(args, scratch):
    global worker
    # Broken off, a case still takes away its devices.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    worker = Worker(args, scratch)


def question(case, version, kernel, log):
    """The words of the CLI for a case."""
    keys = list(case.keys)
    if case.rotational is not None:
        keys.append(f"rotational={case.rotational}")
    words = [worker.args.cli, "--geometry", f"{case.level}:{','.join(keys)}", "--json", "--quiet",
             "--xfsprogs", version, "--kernel", kernel, *case.words]
    for name, value in (("--log-device", log and log.path), ("--label", case.label),
                        ("--uuid", case.uuid),
                        ("--mountpoint", case.mountpoint and worker.mountpoint(case))):
        words += [name, value] if value else []
    return words


def made_log(made):
    return made["log_blocks"] * made["block_size"]


def too_large(case, made):
    """Whether the log, which is really written, is more than this case may take."""
    room = os.statvfs(worker.folder)
    free = room.f_bavail * room.f_frsize
    return made_log(made) > MOST_LOG and (not case.large or free < FREE_FOR_LARGE)


def make(case, item, path, data, log, told):
    """Runs the line of mkfs.xfs; (what was unlike, the superblock)."""
    argv = [data.path if word == "DEVICE" else word for word in item["lines"]["mkfs"]]
    ran = run(argv, told, path)
    if ran.returncode:
        return ["mkfs.xfs: " + said(ran)], None
    predicted = item["filesystem"]
    got = superblock_of(data.path)
    names = {data.path: "DEVICE"}
    if log:
        names[log.path] = "LOGDEVICE"
    return unlike_messages(case, ran, predicted["messages"], names) + \
        unlike_superblock(case, predicted, got), got


def line_of_fstab(item, data, where):
    """The line with the words that stand for what is not known put right."""
    fields = item["lines"]["fstab"].split(" ")
    escaped = "".join(f"\\{ord(c):03o}" if c in " \t\n\\#" else c for c in where)
    known = {"DEVICE": data.path, "MOUNTPOINT": escaped}
    return " ".join(known.get(field, field) for field in fields)


def unlike_fields(case, line):
    """The line for fstab has six fields, and names the file system as was asked."""
    fields = line.split(" ")
    if len(fields) != 6 or fields[2] != "xfs" or fields[4:] != ["0", "0"]:
        return [f"fstab: not six fields of xfs with 0 0: {line!r}"]
    names = [name for name, value in (("UUID=", case.uuid), ("LABEL=", case.label)) if value]
    if not names or any(fields[0].startswith(name) for name in names):
        return []
    return [f"fstab: {fields[0]!r} is no {' or '.join(names)}"]


def used(argv, what, data, where, expected, told):
    """Mounts, writes or reads a file, unmounts; what was unlike."""
    ran = run(argv, told)
    if ran.returncode:
        return [f"{what}: {said(ran)}"]
    try:
        found = unlike_mount(what, data.path, where, expected)
        with open(os.path.join(where, "file"), "a+", encoding="ascii") as file:
            file.write(what * 1000)
            file.flush()
            os.fsync(file.fileno())
            file.seek(0)
            if not file.read().startswith("mount" * 1000):
                found.append(f"{what}: the file that was written first is not there")
    finally:
        ran = run(["umount", where], told)
    return found + ([f"umount: {said(ran)}"] if ran.returncode else [])


def mount_all(case, item, made, data, told):
    """The line of mount and the one of fstab; what was unlike."""
    where, lines = worker.mountpoint(case), item["lines"]
    expected = shown_options(lines["mount_options"], made)
    known = {"DEVICE": data.path, "MOUNTPOINT": where}
    argv = [known.get(word, word) for word in lines["mount"]]
    found = used(argv, "mount", data, where, expected, told)
    line = line_of_fstab(item, data, where)
    told.append("fstab: " + line)
    table = os.path.join(worker.folder, "fstab")
    with open(table, "w", encoding="utf-8") as file:
        file.write(line + "\n")
    argv = ["mount", "--fstab", table, where]
    return found + unlike_fields(case, line) + (
        used(argv, "fstab", data, where, expected, told) if not found else [])


def repair(case, made, data, log, told):
    """What xfs_repair -n finds, where it is run; None where not."""
    new = made["features"]["exchange"] or made["features"]["parent"]
    if not case.repair or case.size > MOST_REPAIRED or new and worker.installed < NEW_FORMAT:
        return None
    argv = ["xfs_repair", "-n", *(["-l", log.path] if log else []), data.path]
    ran = run(argv, told)
    return ["xfs_repair: " + said(ran)] if ran.returncode else []


def tags_of(case, item, repaired):
    """What the line was an example of, to be counted."""
    tags = {"external log": case.log_size, "4Kn": case.sector == 4096, "label": case.label,
            "UUID": case.uuid, "--full": "--full" in case.words, "xfs_repair": repaired,
            "stripe": item["filesystem"]["stripe_unit_blocks"], "rotational": case.rotational != 0,
            "large log": made_log(item["filesystem"]) > MOST_LOG,
            "above 256 GiB": case.size > 256 * GIB, "block size": "--block-size" in case.words,
            "mount options": item["lines"]["mount_options"]}
    return [name for name, value in tags.items() if value]


def refusal(case, item, data, told):
    """What is unlike where the kernel must refuse blocks above its pages, as the advice warns."""
    known = {"DEVICE": data.path, "MOUNTPOINT": worker.mountpoint(case)}
    ran = run([known.get(word, word) for word in item["lines"]["mount"]], told)
    if ran.returncode == 0:
        run(["umount", worker.mountpoint(case)], told)
    return [] if ran.returncode else ["it mounts, though the advice warns that it does not"]


def carry_out(case, item, path, data, log, told):
    found, got = make(case, item, path, data, log, told)
    repaired = None
    if got and got["block_size"] > PAGE and KERNEL < LARGE_BLOCKS and \
            any(finding["id"] == "block-above-page" for finding in item["findings"]):
        return Verdict("refused by the kernel as was warned", [], told,
                       found + refusal(case, item, data, told))
    if got:
        found += mount_all(case, item, got, data, told)
        repaired = repair(case, got, data, log, told)
    tags = tags_of(case, item, repaired is not None)
    found += repaired or []
    return Verdict("failed" if found else "made", tags, told, found)


def answer_to(words, told):
    """(what was unlike, the advice) of one question to the CLI."""
    ran = run(words, told)
    try:
        item = json.loads(ran.stdout)["advice"][0]
    except (ValueError, LookupError):
        return [f"the CLI gave no advice: {said(ran)}"], None
    if ran.returncode != (item["lines"]["mkfs"] is None):
        return [f"the CLI ended with {ran.returncode}, the line is {item['lines']['mkfs']}"], None
    return [], item


def judge(case, version, path, kernel=os.uname().release):
    """Asks, makes, mounts: the verdict on one case."""
    told = []
    if case.log_size:
        with Loop(worker.file + "-log", case.log_size, case.log_sector) as log:
            return judge_with(case, version, path, kernel, log, told)
    return judge_with(case, version, path, kernel, None, told)


def judge_with(case, version, path, kernel, log, told):
    found, item = answer_to(question(case, version, kernel, log), told)
    if not item:
        return Verdict("failed", [], told, found)
    if item["lines"]["mkfs"] is None:
        reason = item["lines"]["mkfs_blocked"]
        return Verdict("without a line", [], told, [] if reason else ["no line, and no reason"])
    if too_large(case, item["filesystem"]):
        return Verdict("left out for a large log", [], told, [])
    rotational = 1 if case.rotational is None else case.rotational
    with Loop(worker.file, case.size, case.sector, rotational) as data:
        return carry_out(case, item, path, data, log, told)


# ---- Batches -------------------------------------------------------------------------------

def do_batch(task):
    """All lines of one level and workload: [(number, release, verdict)]."""
    start, wanted = task
    verdicts, releases = [], worker.args.xfsprogs
    for turn in range(wanted * TRIES):
        if sum(verdict.kind == "made" for *_, verdict in verdicts) == wanted:
            break
        number = start + turn * len(PAIRS)
        version, path = releases[(start + turn) % len(releases)]
        verdict = judge(drawn.draw(worker.args.seed, number), version, path)
        verdicts.append((number, (version, path), verdict))
    return verdicts


def show(number, release, verdict, args):
    version, path = release
    again = [sys.argv[0], args.cli, "--only", f"{args.seed}:{number}", "--xfsprogs",
             f"{version}={path}"]
    print(f"# alone: {shlex.join(again)}")
    for line in [line for text in verdict.told for line in text.split("\n")]:
        print(f"#   ran {line}")
    for line in [line for text in verdict.found for line in text.split("\n")]:
        print(f"#   {line}")


def counted(counts):
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def report(tap, task, verdicts, args, seconds):
    """One line of TAP for a batch, and its failures in full."""
    level, workload = PAIRS[task[0]]
    kinds = collections.Counter(verdict.kind for *_, verdict in verdicts)
    releases = collections.Counter(f"by {version}" for _, (version, _), verdict in verdicts
                                   if verdict.kind == "made")
    wrong = [one for one in verdicts if one[2].found]
    few = kinds["made"] < task[1]
    tap.line(not wrong and not few,
             f"{level}, {workload}: {counted(kinds)} ({counted(dict(sorted(releases.items())))}), "
             f"{len(wrong)} wrong ({seconds:.1f} s)")
    if few:
        print(f"# {task[1]} lines were wanted")
    for one in wrong:
        show(*one, args)
    sys.stdout.flush()


class Tap:
    def __init__(self):
        self.number = self.failed = 0

    def line(self, good, text):
        self.number += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.number} - {text}", flush=True)

    def finish(self):
        print(f"1..{self.number}")
        return self.failed > 0


def timed_batch(task):
    began = time.monotonic()
    return do_batch(task), time.monotonic() - began


def summarize(everything, seconds):
    kinds, releases, tags = collections.Counter(), collections.Counter(), collections.Counter()
    for _, (version, _), verdict in everything:
        kinds[verdict.kind] += 1
        releases[f"by {version}"] += verdict.kind == "made"
        tags.update(verdict.tags if verdict.kind == "made" else ())
    print(f"# Linux {os.uname().release}: {counted(kinds)}; {counted(releases)} ({seconds:.0f} s)")
    print(f"# of these: {counted(dict(sorted(tags.items())))}")


def run_batches(args, scratch):
    tap, everything, began = Tap(), [], time.monotonic()
    quotas = [(at, args.lines // len(PAIRS) + (at < args.lines % len(PAIRS)))
              for at in range(len(PAIRS))]
    tasks = [task for task in quotas if task[1]]
    with multiprocessing.get_context("fork").Pool(args.jobs, start_worker,
                                                  (args, scratch)) as pool:
        for task, (verdicts, seconds) in zip(tasks, pool.imap(timed_batch, tasks)):
            report(tap, task, verdicts, args, seconds)
            everything += verdicts
    summarize(everything, time.monotonic() - began)
    return tap.finish()


def run_one(args, scratch):
    """One case with each release that is named, in full."""
    start_worker(args, scratch)
    tap = Tap()
    seed, number = args.only.rsplit(":", 1)
    args.seed = seed
    for release in args.xfsprogs:
        verdict = judge(drawn.draw(seed, int(number)), *release)
        tap.line(not verdict.found, f"{args.only} by {release[0]}: {verdict.kind}")
        show(int(number), release, verdict, args)
    return tap.finish()


# ---- Features ------------------------------------------------------------------------------

def kernel_says(since):
    """What the kernel logged of XFS since that many lines; and how many lines there are."""
    lines = run(["dmesg"]).stdout.splitlines()
    ours = [line for line in lines[since:] if "XFS" in line and "Unmounting" not in line]
    return ours, len(lines)


def mounts_at_all(data):
    """(whether it mounts, what the kernel says to it)"""
    where = os.path.join(worker.folder, "mnt")
    os.makedirs(where, exist_ok=True)
    _, before = kernel_says(0)
    ran = run(["mount", data.path, where])
    if ran.returncode == 0:
        run(["umount", where], check=True)
    return ran.returncode == 0, kernel_says(before)[0]


def judge_defaults(tap, version, path):
    """What this release makes by itself mounts if, and only if, the kernel knows its features."""
    with Loop(worker.file, GIB, 512) as data:
        run(["mkfs.xfs", data.path], None, path, check=True)
        features = superblock_of(data.path)["features"]
        taken, lines = mounts_at_all(data)
    unknown = [name for name, on in features.items() if on and FEATURES[name][2] > KERNEL]
    why = any(REFUSED.search(line) for line in lines)
    tap.line(taken == (not unknown) and why == bool(unknown),
             f"defaults of {version} {'mount' if taken else 'do not mount'} on Linux "
             f"{'.'.join(map(str, KERNEL))}, which lacks: {', '.join(unknown) or 'none'}")
    for line in lines:
        print(f"#   {line}")


def judge_ours(tap, version, path, kernel):
    """Lines of all kinds for that kernel, and nothing in them that it does not know."""
    seen = collections.Counter()
    wrong = []
    for number in range(0, len(PAIRS), 5):
        case = drawn.draw(worker.args.seed, number)
        verdict = judge(case, version, path, kernel)
        seen[verdict.kind] += 1
        if verdict.found:
            wrong.append((number, (version, path), verdict))
    tap.line(not wrong and seen["made"], f"lines for {version} and Linux {kernel} are made and "
             f"mount on {os.uname().release}: {counted(seen)}, {len(wrong)} wrong")
    for one in wrong:
        show(*one, worker.args)


def run_features(args, scratch):
    start_worker(args, scratch)
    tap = Tap()
    for version, path in args.features:
        judge_defaults(tap, version, path)
        for kernel in {KERNEL: os.uname().release, OLD: f"{OLD[0]}.{OLD[1]}"}.values():
            judge_ours(tap, version, path, kernel)
    return tap.finish()


# ---- The command ---------------------------------------------------------------------------

def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli", type=compare.readable, metavar="CLI")
    parser.add_argument("--lines", type=int, default=500, help="how many, over all releases")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2 * len(os.sched_getaffinity(0)),
                        help="most of the time is spent waiting")
    parser.add_argument("--xfsprogs", action="append", type=compare.oracle,
                        metavar="VERSION=PATH", help="a mkfs.xfs; default: the installed one")
    parser.add_argument("--features", action="append", type=compare.oracle,
                        metavar="VERSION=PATH", help="only defaults beside our lines, with this")
    parser.add_argument("--only", metavar="SEED:NUMBER", help="one case, in full")
    parser.add_argument("--scratch", default="/dev/shm", help="a tmpfs for the sparse files")
    args = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("needs root, for loop devices and mounts")
    if not args.xfsprogs:
        path = shutil.which("mkfs.xfs", path=PROGRAMS) or parser.error("no mkfs.xfs installed")
        args.xfsprogs = [(".".join(map(str, release_of(run([path, "-V"]).stdout))), path)]
    return args


def own_mounts():
    """A name space of mounts for us alone: what is mounted here ends with us."""
    if ctypes.CDLL(None, use_errno=True).unshare(0x20000) == 0:     # CLONE_NEWNS
        run(["mount", "--make-rprivate", "/"], check=True)


def main():
    args = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    own_mounts()
    scratch = tempfile.mkdtemp(prefix="mounted-", dir=args.scratch)
    mode = run_one if args.only else run_features if args.features else run_batches
    try:
        return mode(args, scratch)
    finally:
        sweep(scratch)
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
