#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Holds data/mkfs-options.json and data/mount-options.json against what they speak of.

options.py mkfs --oracle VERSION=PATH...: each option with valid, edge and invalid values through
real versions of mkfs.xfs -N; options.py mount: the same through the running kernel, as root, on
small file systems on loop devices. It writes TAP; what it predicts comes from the tables alone,
and option-cases.json has the lines that no table can give.
"""
import argparse
import ctypes
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(HERE, "..", "cli"))

import mkfs  # noqa: E402
import tap  # noqa: E402

SUFFIXES = "bskmgtpe"
UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
MOST = 2**63 - 1
PARSER = re.compile(r"Invalid value|requires a value|unknown option|respecified|Cannot specify")
SUFFIX = re.compile(r"illegal suffix|suffixes are not allowed")


def table(name):
    with open(os.path.join(HERE, "..", "..", "data", name), encoding="utf-8") as file:
        return {row["id"]: row for row in json.load(file)["rows"]}


def cases(which):
    with open(os.path.join(HERE, "option-cases.json"), encoding="utf-8") as file:
        return {case["id"]: case for case in json.load(file)[which]}


def version(text):
    return tuple(int(part) for part in text.split(".")[:2])


def known(row, release):
    """Whether the release lies in the row's life span."""
    return (version(row.get("since") or "0.0") <= version(release)
            <= version(row.get("until") or "9999.0"))


def size_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


# ---- mkfs.xfs ----

class Real:
    """One real mkfs.xfs, run with -N on fresh files in a folder of memory."""

    def __init__(self, release, path, folder):
        self.release = release
        self.oracle = mkfs.Oracle(path, "", folder)
        self.names = {name: os.path.join(folder, name.lower())
                      for name in ("CONF", "PROTO", "DIR", "NEW", "MISSING", "RT", "LOG", "DEVICE")}
        self.names["LOG"], self.names["DEVICE"] = self.oracle.log, self.oracle.data
        with open(self.names["CONF"], "w", encoding="utf-8") as file:
            file.write("[metadata]\nreflink=0\n")
        with open(self.names["PROTO"], "w", encoding="utf-8") as file:
            file.write("x\n0 0\nd--755 0 0\n$\n")
        os.mkdir(self.names["DIR"])

    def run(self, words, size="4g"):
        """Status, and what was said, of one run; the words are as they are given to the program."""
        with open(self.names["RT"], "wb") as file:
            file.truncate(1 << 30)
        case = {"size": size_of(size), "log_device_size": 128 << 20, "cpus": 4,
                "regular_file": True}
        words = [re.sub(r"\b(CONF|PROTO|DIR|NEW|MISSING|RT|LOG|DEVICE)\b",
                        lambda found: self.names[found.group()], word) for word in words]
        status = self.oracle.run(case, words).status
        return status, *(self.oracle.text_of(stream) for stream in self.oracle.streams)


class Option:
    """A row, its case, and the words that the two make."""

    def __init__(self, row, case):
        self.row, self.case = row, case
        self.value = case.get("value") or (row.get("values") or ["1"])[0]
        self.beside = case.get("with", "").split()

    def words(self, value, beside=True):
        """value None: the option without any."""
        row = self.row
        if row["kind"] == "switch":
            return [row["option"]]
        text = row["key"] if value is None else f"{row['key']}={value}" if row["key"] else value
        return [row["option"], text, *(self.beside if beside else [])]


class MkfsTest:
    """All runs of one release."""

    def __init__(self, plan, real, options):
        self.plan, self.real, self.options = plan, real, options
        self.release = real.release

    def expect(self, option, words, taken, why=None, pattern=None):
        """One check: the status, or when pattern is given only whether stderr shows it."""
        line = words if option.case.get("device") is False or "DEVICE" in words[-1:] else \
            [*words, "DEVICE"]
        name = f"{self.release} {option.row['id']}: {' '.join(words)}: " + \
            (why or ("taken" if taken else "refused"))
        self.plan.check(name, self.one, line, option.case.get("size", "4g"), taken, pattern)

    def one(self, line, size, taken, pattern):
        status, _, err = self.real.run(line, size)
        if pattern is None:
            assert status == (0 if taken else 1), f"status {status}: {err[:200]}"
        else:
            assert bool(pattern.search(err)) != taken and status in (0, 1), \
                f"status {status}: {err[:200]}"

    def row(self, option):
        row, case = option.row, option.case
        if not known(row, self.release):
            self.expect(option, option.words(option.value), row["after"] != "refused",
                        "outside its life span")
            return
        self.expect(option, option.words(option.value), True)
        for line in case.get("taken", []):
            self.expect(option, line.split(), True)
        for line in case.get("refused", []):
            self.expect(option, line.split(), False)
        for line, since, then in case.get("changed", []):
            later = version(self.release) >= version(since)
            self.expect(option, line.split(), later == (then == "taken"))
        if row["kind"] != "switch" and row["option"] != "-L":
            self.presence(option)
            self.values(option)
            self.company(option)
        self.defaults(option)
        self.obsolete(option)

    def presence(self, option):
        row = option.row
        if not row["key"]:
            return
        bare = row["value"] == "optional" and \
            version(self.release) >= version(option.case.get("bare", "0.0"))
        if not option.case.get("bare_crashes"):
            self.expect(option, option.words(None), bare, "without a value", PARSER)
        if option.case.get("again"):
            return
        twice = [*option.words(option.value), *option.words(option.value, beside=False)]
        self.expect(option, twice, False, "twice", re.compile("respecified"))

    def values(self, option):
        row = option.row
        for value in row.get("values", []):
            self.expect(option, option.words(value), True)
        if row["kind"] == "enum":
            self.expect(option, option.words("zz"), False, pattern=PARSER)
        if row["kind"] in ("size", "count", "sectors", "bool"):
            self.numbers(option)
            self.suffixes(option)

    def numbers(self, option):
        row = option.row
        low, high = row.get("min", 0), row.get("max", MOST)
        self.expect(option, option.words("zz"), False, "no number", PARSER)
        if not option.case.get("no_zero"):
            self.expect(option, option.words(str(low)), True, "min is read", PARSER)
        self.expect(option, option.words(str(low - 1)), False, "below min", PARSER)
        self.expect(option, option.words(str(high)), True, "max is read", PARSER)
        if high != MOST:
            self.expect(option, option.words(str(high + 1)), False, "above max", PARSER)
        if row.get("power_of_two"):
            self.expect(option, option.words(str(low // 2)), False, "half of min", PARSER)
            self.expect(option, option.words(str(high * 2)), False, "twice max", PARSER)
            self.expect(option, option.words(str(low * 3)), False, "no power of two", PARSER)
        if "least" in row:
            self.expect(option, option.words(str(row["least"])), True, "least")
            self.expect(option, option.words(str(low)), False, "min, below least")
        if "most" in row:
            self.expect(option, option.words(str(row["most"])), True, "most")
            self.expect(option, option.words(str(high)), False, "max, above most")

    def suffixes(self, option):
        for letter in SUFFIXES if option.row["kind"] == "size" else "kb":
            for spelt in (letter, letter.upper()):
                self.expect(option, option.words("1" + spelt),
                            letter in option.row.get("suffixes", ""), "suffix", SUFFIX)

    def company(self, option):
        """What it is refused beside, and without."""
        for ident in option.row.get("conflicts", []):
            other = self.options[ident]
            words = [*other.words(other.value, False), *option.words(option.value, False)]
            told = any(line == " ".join(words) for line, *_ in option.case.get("changed", []))
            if known(other.row, self.release) and not told:
                self.expect(option, words, False, "in conflict", re.compile("Cannot specify both"))
        for ident in option.row.get("requires", []):
            other = self.options[ident]
            without = other.words("0", False) if other.row["kind"] == "bool" else []
            self.expect(option, [*without, *option.words(option.value, False)], False,
                        f"without {ident}")
        self.together(option)

    def together(self, option):
        """What it requires is enough; what requires nothing stands alone."""
        required = [self.options[ident] for ident in option.row.get("requires", [])]
        words = [word for other in required for word in other.words(other.value, False)]
        if required or option.beside:
            self.expect(option, [*words, *option.words(option.value, False)], True,
                        "with what it requires" if required else "alone")

    def defaults(self, option):
        """The default, spelt out, changes nothing."""
        since = [at for at in option.row.get("default", {}) if version(at) <= version(self.release)]
        if since:
            value = option.row["default"][max(since, key=version)]
            name = f"{self.release} {option.row['id']}: {value} is the default"
            self.plan.check(name, self.same, [*option.words(value, False), "DEVICE"])

    def same(self, line):
        said, plain = self.real.run(line), self.real.run(["DEVICE"])
        assert said == plain, f"with it {said}, without {plain}"

    def obsolete(self, option):
        row = option.row
        for value in row.get("obsolete", []):
            words = option.words(value)
            if row["after"] == "warned":
                warns = version(self.release) >= version(row.get("obsolete_since", "0.0"))
                name = f"{self.release} {row['id']}: {' '.join(words)}: taken, " + \
                    ("warned about" if warns else "without a word")
                self.plan.check(name, self.warned, [*words, "DEVICE"], warns)
            else:
                self.expect(option, words, False, "obsolete")
                self.expect(option, ["-m", "crc=0", *words], True, "as old as the format")

    def warned(self, line, warns):
        status, out, err = self.real.run(line)
        assert status == 0 and ("deprecated" in out + err) == warns, f"{status} {out}{err}"


def test_mkfs(args):
    plan = tap.Tap()
    rows, known_cases = table("mkfs-options.json"), cases("mkfs")
    options = {ident: Option(row, known_cases.pop(ident, {})) for ident, row in rows.items()}
    assert not known_cases, f"cases without a row: {', '.join(known_cases)}"
    for oracle in args.oracle:
        release, path = oracle.split("=", 1)
        folder = tempfile.mkdtemp(dir=args.scratch)
        try:
            test = MkfsTest(plan, Real(release, path, folder), options)
            for option in options.values():
                if not args.only or args.only in option.row["id"]:
                    test.row(option)
        finally:
            shutil.rmtree(folder)
    plan.finish()


# ---- mount ----

def output(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def kernel_config():
    """The running kernel's configuration, or None where it is not to be had."""
    for path, opener in (("/proc/config.gz", gzip.open),
                         (f"/boot/config-{os.uname().release}", open)):
        if os.path.exists(path):
            with opener(path, "rt", encoding="ascii") as file:
                return set(re.findall(r"^CONFIG_(\w+)=[ym]", file.read(), re.M))
    return None


class Bed:
    """File systems on loop devices and one place to mount them."""

    MAKE = {"plain": [], "striped": ["-d", "su=64k,sw=4,agcount=2", "-l", "su=32k"],
            "external": ["-l", "logdev=LOG"], "v4": ["-m", "crc=0"]}
    STRIPE_UNIT = {"striped": 32 << 10}

    def __init__(self, folder):
        self.folder, self.libc = folder, ctypes.CDLL(None, use_errno=True)
        self.place, self.devices = os.path.join(folder, "mnt"), {}
        os.mkdir(self.place)
        self.release = ".".join(os.uname().release.split(".")[:2])

    def start(self):
        for name in ("log", *self.MAKE):
            image = os.path.join(self.folder, name)
            with open(image, "wb") as file:
                file.truncate((64 if name == "log" else 300) << 20)
            self.devices[name] = output("losetup", "--find", "--show", image)
            if name != "log":
                words = [word.replace("LOG", self.devices["log"]) for word in self.MAKE[name]]
                output("mkfs.xfs", "-q", *words, self.devices[name])

    def stop(self):
        self.unmount()
        for device in self.devices.values():
            subprocess.run(["losetup", "--detach", device], check=False)

    def text(self, options):
        found = options.replace("LOG", self.devices["log"])
        return found.replace("MISSING", os.path.join(self.folder, "missing"))

    def mount(self, name, options):
        """By mount(2), for options that XFS itself reads; whether it was taken."""
        read_only = "ro" in options.split(",")
        rest = ",".join(word for word in options.split(",") if word != "ro")
        return self.libc.mount(self.devices[name].encode(), self.place.encode(), b"xfs",
                               int(read_only), self.text(rest).encode()) == 0

    def command(self, *argv):
        """By mount(8); whether it was taken."""
        done = subprocess.run(["mount", *argv], capture_output=True, check=False)
        return done.returncode == 0

    def unmount(self):
        while self.libc.umount2(self.place.encode(), 0) == 0:
            pass

    def shown(self):
        with open("/proc/self/mounts", encoding="utf-8") as file:
            return [line.split()[3] for line in file if line.split()[1] == self.place][-1:]


class MountTest:
    """All mounts on the running kernel."""

    def __init__(self, plan, bed):
        self.plan, self.bed, self.release = plan, bed, bed.release
        self.has = self.features()

    def features(self):
        """What the table's needs name: of the kernel here, of a file system in fits()."""
        config = kernel_config()
        found = set()
        if config is None:
            found.add("XFS_QUOTA" if self.tries("plain", "uquota") else "no quota")
        else:
            found |= config & {"XFS_QUOTA", "XFS_DEBUG", "XFS_RT"}
        if self.tries("v4", ""):
            found.add("v4")
        if os.path.isdir("/sys/fs/selinux/class"):
            found.add("SELINUX")
        print(f"# Linux {self.release}, {'its configuration' if config else 'probed'}:",
              ", ".join(sorted(found)) or "nothing of quota, V4, debug")
        return found

    def tries(self, name, options):
        taken = self.bed.mount(name, options)
        self.bed.unmount()
        return taken

    def fits(self, row, name):
        """Whether what the row needs is there, on this file system."""
        there = self.has - {"v4"}
        there |= {"striped": {"striped"}, "external": {"external-log"}, "v4": {"v4"}}.get(
            name, set())
        return all(need in there for need in row.get("needs", []) if need != "log-stripe-unit")

    def predicted(self, row, name):
        """Whether a mount with a good value of the row's option succeeds."""
        if not known(row, self.release):
            return row["after"] != "refused"
        return self.fits(row, name) or row["otherwise"] != "refused"

    def check(self, row, name, options, taken, why=""):
        text = f"{self.release} {row['id']}: {name}: {options}: {why}"
        self.plan.check(text + ("taken" if taken else "refused"), self.one, row, name, options,
                        taken)

    def one(self, row, name, options, taken):
        bed = self.bed
        full = options + (",logdev=LOG" if name == "external" and "logdev" not in options else "")
        try:
            if row["layer"] == "xfs":
                got = bed.mount(name, full)
            else:
                got = bed.command("-t", "xfs", "-o", bed.text(full), bed.devices[name], bed.place)
            assert got == taken, "it was " + ("taken" if got else "refused")
        finally:
            bed.unmount()

    def row(self, row, case):
        if "skip" in case:
            return
        for name in row["layer"] != "xfs" and ["plain"] or self.systems(row):
            good = self.predicted(row, name)
            alive = known(row, self.release)
            for option in self.spellings(row, case):
                self.check(row, name, option, good)
            if row["layer"] == "xfs" and alive:
                self.bad_values(row, case, name)
                if good:
                    self.good_values(row, case, name)
            if alive:
                self.lines(row, case, name, good)
                self.company(row, case, name)
        if "remount" in row:
            self.remount(row, case)

    def systems(self, row):
        return ["plain", "striped"] + (["external"] if row["name"] == "logdev" else []) \
            + (["v4"] if row["name"] in ("attr2", "noattr2") and "v4" in self.has else [])

    @staticmethod
    def worded(row, value, case):
        text = row["name"] if value is None else f"{row['name']}={value}"
        return text + ("," + case["with"] if "with" in case else "")

    def spellings(self, row, case):
        value = case.get("value") or (row.get("values") or [None])[0]
        if "option" in case:
            return [case["option"]]
        first = self.worded(row, value, case)
        return [first] + [first.replace(row["name"], alias, 1) for alias in row.get("aliases", [])]

    def bad_values(self, row, case, name):
        wrong = {"none": ["1"], "optional": ["zz"], "required": [None, ""]}[row["value"]]
        if row["kind"] in ("size", "count", "sectors"):
            wrong += ["zz", "1x"]
        if row["kind"] in ("count", "sectors"):
            wrong += ["4k"]
        if "min" in row and row["min"] > 0:
            wrong += [row["min"] - 1]
        if "max" in row:
            wrong += [row["max"] + 1]
        if row.get("power_of_two"):
            wrong += [row["min"] // 2, row["min"] * 3]
            wrong += [row["max"] * 2] if "max" in row else []
        for value in wrong:
            self.check(row, name, self.worded(row, value, case), False, "bad value, ")

    def good_values(self, row, case, name):
        right = list(row.get("values", [])) + row.get("also", [])
        if "min" in row and not case.get("free"):
            least = max(row["min"], self.bed.STRIPE_UNIT.get(name, 0)
                        if "log-stripe-unit" in row.get("needs", []) else 0)
            right += [least] + ([row["max"]] if "max" in row else [])
            for letter in row.get("suffixes", "")[:1]:
                right += [f"{least >> 10}{letter}", f"{least >> 10}{letter.upper()}"]
        for value in right:
            self.check(row, name, self.worded(row, value, case), True, "edge, ")

    def lines(self, row, case, name, good):
        ends = ["", "_" + name] + (["_quota"] if "XFS_QUOTA" in self.has else [])
        for end in ends:
            for options in case.get("taken" + end, []):
                self.check(row, name, options, good or row["name"] in ("sunit", "swidth"))
            for options in case.get("refused" + end, []):
                self.check(row, name, options, False)

    def company(self, row, case, name):
        rows = self.rows
        for ident in row.get("conflicts", []):
            other = self.spellings(rows[ident], self.cases.get(ident, {}))[0]
            options = ",".join([self.spellings(row, case)[0], other])
            self.check(row, name, options, False, f"beside {ident}, ")
        if (row.get("requires") or "with" in case) and row["layer"] == "xfs":
            alone = self.spellings(row, {**case, "with": ""})[0].rstrip(",")
            stands = not row.get("requires") and self.fits(row, name)
            self.check(row, name, alone, stands, "alone, ")

    def remount(self, row, case):
        name = "v4" if "v4" in self.has and "v4" in row.get("needs", []) else "striped"
        if known(row, self.release):
            lacks = any(need.isupper() and need not in self.has or need == "v4" != name
                        for need in row.get("needs", []))
            wanted = "refused" if lacks and row["otherwise"] == "refused" else row["remount"]
        else:
            wanted = "refused" if row["after"] == "refused" else "ignored"
        options = self.spellings(row, case)[0]
        self.plan.check(f"{self.release} {row['id']}: {name}: remount,{options}: {wanted}",
                        self.remounted, row, name, options, wanted)

    def remounted(self, row, name, options, wanted):
        bed = self.bed
        assert bed.mount(name, ""), "the file system does not mount"
        try:
            before = bed.shown()
            taken = bed.command("-o", "remount," + bed.text(options), bed.place)
            changed = bed.shown() != before
        finally:
            bed.unmount()
        got = "refused" if not taken else "takes effect" if changed else "ignored"
        usual = row.get("default") and wanted == "takes effect" and got == "ignored"
        assert got == wanted or usual, f"it was {got}"

    def images(self, row, case):
        """Options of mount(8) that make the loop device themselves."""
        options = self.spellings(row, case)[0]
        self.plan.check(f"{self.release} {row['id']}: image: {options}: taken", self.image, options)

    def image(self, options):
        bed = self.bed
        bed.mount("plain", "")
        bed.unmount()
        path = os.path.join(bed.folder, "image")
        output("cp", "--sparse=always", os.path.join(bed.folder, "plain"), path)
        taken = bed.command("-t", "xfs", "-o", options, path, bed.place)
        bed.unmount()
        assert taken, "it was refused"


def test_mount(args):
    plan, folder = tap.Tap(), tempfile.mkdtemp(dir=args.scratch)
    bed = Bed(folder)
    try:
        bed.start()
        test = MountTest(plan, bed)
        test.rows, test.cases = table("mount-options.json"), cases("mount")
        assert not set(test.cases) - set(test.rows), "cases without a row"
        for ident, row in test.rows.items():
            case = test.cases.get(ident, {})
            if not args.only or args.only in ident:
                (test.images if case.get("image") else test.row)(row, case)
    finally:
        bed.stop()
        shutil.rmtree(folder)
    plan.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["mkfs", "mount"])
    parser.add_argument("--oracle", action="append", default=[], metavar="VERSION=PATH")
    parser.add_argument("--only", default="", help="rows whose id has this in it")
    parser.add_argument("--scratch", default="/dev/shm", help="where the files go: a tmpfs")
    args = parser.parse_args()
    {"mkfs": test_mkfs, "mount": test_mount}[args.what](args)


if __name__ == "__main__":
    main()
