# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs one real version of mkfs.xfs on a sparse file, and reads what it says and writes.

It takes the printed table and the superblock apart into figures under the model's names. It does
not judge; the files live on a tmpfs and each run starts on one that is all zero.
"""
import os
import re
import struct

FEATURES = ("crc", "finobt", "sparse", "rmapbt", "reflink", "bigtime", "inobtcount", "nrext64",
            "exchange", "parent", "metadir", "ftype", "projid32bit", "attr", "lazy-count")
TABLE_LINE = re.compile(r"(meta-data|data|naming|log|realtime)? *=")
# (name, offset, format) in the big-endian superblock
SUPERBLOCK = (("block_size", 4, "I"), ("blocks", 8, "Q"), ("log_start_block", 48, "Q"),
              ("ag_size_blocks", 84, "I"), ("ag_count", 88, "I"), ("log_blocks", 96, "I"),
              ("sector_size", 102, "H"), ("inode_max_percent", 127, "B"),
              ("stripe_unit_blocks", 184, "I"), ("stripe_width_blocks", 188, "I"),
              ("log_sector_size", 194, "H"), ("log_stripe_unit", 196, "I"))


class Result:
    """Exit status, figures and features of the table (None without one), and the other lines."""

    def __init__(self, status, out, err):
        self.status = status
        sections, rest = split_table(out)
        self.messages = [("stdout", line) for line in rest] + messages_of("stderr", err)
        self.figures = figures_of(sections) if sections else None
        self.features = features_of(sections)


def without_usage(lines):
    """The lines, where the usage text, which is always the last, is only the word."""
    for at, line in enumerate(lines):
        if line.startswith("Usage:"):
            return lines[:at] + ["Usage"]
    return lines


def messages_of(stream, text):
    lines = [line for line in text.split("\n") if line]
    return [(stream, line) for line in without_usage(lines)]


def split_table(text):
    """The table's values by section, and the lines that do not belong to it."""
    sections, rest, section = {}, [], None
    for line in text.split("\n"):
        found = TABLE_LINE.match(line)
        if found and (found.group(1) or section):
            section = found.group(1) or section
            values = sections.setdefault(section, {"": line})
            for key, value in re.findall(r"([a-z0-9-]+)=(\d+)", line[found.end():]):
                values[key] = int(value)
        elif line:
            rest.append(line)
    return sections, without_usage(rest)


def figures_of(sections):
    meta, data, log = sections["meta-data"], sections["data"], sections["log"]
    return {"block_size": data["bsize"], "sector_size": meta["sectsz"], "ag_count": meta["agcount"],
            "ag_size_blocks": meta["agsize"], "blocks": data["blocks"],
            "inode_max_percent": data["imaxpct"], "stripe_unit_blocks": data["sunit"],
            "stripe_width_blocks": data["swidth"], "log_blocks": log["blocks"],
            "log_stripe_unit": log["sunit"] * log["bsize"], "log_sector_size": log["sectsz"],
            "log_external": not log[""].startswith("log      =internal log")}


def features_of(sections):
    return {name: values[name] for values in sections.values() for name in FEATURES
            if name in values}


def superblock_of(path):
    """The figures of the superblock on the file, or None when there is none."""
    with open(path, "rb") as file:
        raw = file.read(512)
    if raw[:4] != b"XFSB":
        return None
    found = {name: struct.unpack_from(">" + form, raw, at)[0] for name, at, form in SUPERBLOCK}
    # 1 stands for "none, but a log of version 2"; and sectors of 512 bytes are not noted.
    found["log_stripe_unit"] = 0 if found["log_stripe_unit"] == 1 else found["log_stripe_unit"]
    found["log_sector_size"] = found["log_sector_size"] or 512
    found["log_external"] = found["log_start_block"] == 0
    return found


def seen(case):
    """The environment that makes mkfs.xfs see the case's machine and device."""
    env = {"T_CPUS": str(case["cpus"])}
    rotational = case.get("rotational", case.get("_rotational"))
    if rotational is not None:
        env["T_ROTATIONAL"] = str(int(rotational))
    if case.get("regular_file"):
        return env
    physical = case.get("physical", case.get("_physical"))
    env.update(T_BLOCK="1", T_PS=str(physical), T_LS=str(case.get("logical", case.get("_logical"))),
               T_MIN=str(case.get("io_min", physical)), T_OPT=str(case.get("io_opt", 0)),
               T_ALIGN=str(case.get("alignment_offset", 0)))
    return env


class Oracle:
    """One real mkfs.xfs; it and its files are used by one process at a time."""

    def __init__(self, path, preload, folder):
        self.path = path
        self.data, self.log = os.path.join(folder, "data"), os.path.join(folder, "log")
        with open(path, "rb") as file:
            # A wrapper loads the library itself, so that only mkfs.xfs gets it.
            variable = "MODEL_PRELOAD" if file.read(2) == b"#!" else "LD_PRELOAD"
        self.env = {"LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", variable: preload}
        self.streams = [os.open(os.path.join(folder, name), os.O_RDWR | os.O_CREAT, 0o600)
                        for name in ("out", "err")]
        self.actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
        self.actions += [(os.POSIX_SPAWN_DUP2, fd, number)
                         for number, fd in enumerate(self.streams, 1)]

    def close(self):
        for fd in self.streams:
            os.close(fd)

    def prepare(self, case):
        sizes = ((self.data, case.get("size", case.get("_size"))),
                 (self.log, case.get("log_device_size")))
        for path, size in sizes:
            with open(path, "wb") as file:
                if size:
                    file.truncate(size)

    def text_of(self, fd):
        text = os.pread(fd, os.fstat(fd).st_size, 0).decode("utf-8", "replace")
        return text.replace(self.data, "DEVICE").replace(self.log, "LOGPATH")

    def words(self, argv):
        """The predicted words with the files' names in place of DEVICE and LOGPATH."""
        return [re.sub(r"\b(LOGPATH|LOGDEVICE)\b", self.log,
                       re.sub(r"(?<![A-Z])DEVICE\b", self.data, word)) for word in argv]

    def run(self, case, argv, dry=True):
        """Runs the words argv, the program's name left out, on fresh files."""
        self.prepare(case)
        for fd in self.streams:
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
        words = ["mkfs.xfs"] + (["-N"] if dry else []) + self.words(argv)
        pid = os.posix_spawn(self.path, words, dict(self.env, **seen(case)),
                             file_actions=self.actions)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return Result(status, self.text_of(self.streams[0]), self.text_of(self.streams[1]))

    def superblock(self):
        return superblock_of(self.data)

    def clear(self):
        """Gives back the memory that a real run took."""
        for path in (self.data, self.log):
            os.truncate(path, 0)
