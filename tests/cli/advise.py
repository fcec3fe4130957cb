#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The command line as a person, a script and a fleet use it. Writes TAP."""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile

from tap import Tap

CLI = sys.argv[1]
RAID6 = "raid6:disks=14,chunk=128k,size=12001920000000"
FIXED = ["--xfsprogs", "6.1", "--kernel", "6.1", "--cpus", "1"]
HOSTILE = ["plain", "two words", "a'b", "$(id)", "`id`", "a\nb", "-rf", "a\\b", '"', "#", "*", ";",
           "ü€", "a\tb"]


def run(*args, env=None):
    ran = subprocess.run([CLI, *args], capture_output=True, timeout=60,
                         env=dict(os.environ, **(env or {})))
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


def advice(*args):
    status, out, err = run(*args, *FIXED, "--json")
    document = json.loads(out)
    assert document["schema"] == 1 and document["tool"] == "xfsadvise", document
    return status, document["advice"][0], err


def same(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"


def refused(args, names):
    status, out, err = run(*args)
    same(status, 2)
    same(out, "")
    same(err.count("\n"), 1)
    assert err.startswith("xfsadvise: ") and names in err, err
    assert len(err) < 300, len(err)


BAD = [
    (["--geometry", "raid7:disks=4"], "raid7"),
    (["--geometry", "raid6:disks=0,chunk=64k"], "disks"),
    (["--geometry", "raid6:disks=1,chunk=64k"], "disks"),
    (["--geometry", "raid6:disks=8,chunk=0"], "chunk"),
    (["--geometry", "raid6:disks=8,chunk=6k"], "chunk"),
    (["--geometry", "raid6:disks=8,chunk=64"], "64k"),
    (["--geometry", "raid6:disks=8,chunk=64k,size=12x"], "size"),
    (["--geometry", "raid6:disks=8,chunk=64k,size=-5"], "size"),
    (["--geometry", f"raid6:disks=8,chunk=64k,size={2**70}"], "size"),
    (["--geometry", "raid6:disks=8,data=6,chunk=64k"], "disks"),
    (["--geometry", ""], "empty"),
    (["--geometry", "raid6:" + "x" * 100000], "longer"),
    (["--geometry", RAID6, "--workload", "web"], "workload"),
    (["--geometry", RAID6, "--writers", "0"], "writers"),
    (["--geometry", RAID6, "--agsize", "big"], "agsize"),
    (["--geometry", RAID6, "--label", "thirteen_char"], "label"),
    (["--geometry", RAID6, "--uuid", "1234"], "uuid"),
    (["--geometry", RAID6, "--mountpoint", "srv"], "mountpoint"),
    (["--geometry", RAID6, "--kernel", "new"], "kernel"),
    (["--geometry", RAID6, "--xfsprogs", ""], "xfsprogs"),
    (["--geometry", RAID6, "--cpus", "-1"], "cpus"),
    (["--geometry", RAID6, "--format", "xml"], "format"),
    (["--geometry", RAID6, "--geometry", RAID6, "--label", "x"], "several"),
    (["--geometry", RAID6, "--agcount", "4", "--agsize", "1g"], "agsize"),
    (["--\033[31mred"], "no such option"),
    (["--geometry"], "needs a value"),
    (["--geometry", RAID6, "--from", "x", "--sysroot", "y"], "exclude"),
    (["capture"], "which devices"),
    (["capture", "--all", "vda"], "exclude"),
    ([], "--geometry"),
]


def statuses():
    same(run("--geometry", RAID6, *FIXED)[0], 0)
    same(run("--geometry", RAID6, "--agcount", "1", *FIXED)[0], 1)
    same(run("--geometry", "raid6:disks=14", *FIXED)[0], 3)
    warned = ["--geometry", "raid5:disks=4,chunk=512k,size=3t,offset=1m", *FIXED]
    status, out, err = run(*warned)
    same((status, err.count("warning:")), (0, 1))
    status, out, err = run(*warned, "--strict")
    same(status, 1)
    status, out, err = run(*warned, "--quiet")
    same((status, err), (0, ""))
    assert "start-not-full-stripe" in out


def unknown_is_null():
    status, item, _ = advice("--geometry", "raid6:disks=14")
    same(status, 3)
    same(item["geometry"]["known"], False)
    same(item["geometry"]["missing"], ["chunk", "size"])
    same((item["size"], item["filesystem"], item["lines"]["mkfs"]), (None, None, None))
    same(item["lines"]["mkfs_blocked"], {"argv": None, "by": ["facts-missing"]})
    same((item["recommended"]["su"], item["geometry"]["stripe_unit"]), (None, None))


def contract():
    _, item, err = advice("--geometry", RAID6)
    same(err, "")
    same(item["device"], None)
    same(item["lines"]["mkfs"], ["mkfs.xfs", "-d", "su=128k,sw=12", "-l", "su=32k", "DEVICE"])
    same(item["lines"]["mkfs_options"], ["-d", "su=128k,sw=12", "-l", "su=32k"])
    same(item["lines"]["mount"], ["mount", "DEVICE", "MOUNTPOINT"])
    same(item["recommended"], {"su": 131072, "sw": 12, "agcount": 32, "log_stripe_unit": 32768,
                               "allocsize": None, "max_sectors_kb": 1536})
    made = item["filesystem"]
    same((made["ag_count"], made["ag_size_blocks"], made["blocks"], made["log_blocks"]),
         (32, 91567392, 2930156250, 521728))
    ids = [setting["id"] for setting in item["settings"]]
    for wanted in ("mkfs.data.su", "mkfs.data.sw", "mkfs.log.su", "mount.allocsize",
                   "queue.max_sectors_kb"):
        assert wanted in ids, wanted
    for setting in item["settings"]:
        assert setting["reason"], setting


def assumptions():
    """What is left open is said, and is no finding."""
    for extra, assumed in (("", ["sector=512", "layout=n2"]), (",sector=512", ["layout=n2"]),
                           (",sector=512,layout=f2", [])):
        _, item, _ = advice("--geometry", "raid10:disks=4,chunk=64k,size=1t" + extra)
        same((item["geometry"]["assumed"], item["findings"]), (assumed, []))
    assert "# assumed: sectors of 512" in run("--geometry", RAID6, *FIXED)[1]


def several_arrays():
    status, out, _ = run("--geometry", RAID6, "--geometry", "raid1:disks=2,size=1t", *FIXED,
                         "--json")
    same((status, len(json.loads(out)["advice"])), (0, 2))
    _, script, _ = run("--geometry", RAID6, "--geometry", "raid1:disks=2,size=1t", *FIXED)
    recorded = play(script, ["/dev/one", "/mnt/one", "/dev/two", "/mnt/two"])
    same([words[-1] for words in recorded if words[0] == "mkfs.xfs"], ["/dev/one", "/dev/two"])
    same(play(script, ["/dev/one", "/mnt/one", "/dev/two"], status=2), [])


def play(script, arguments, status=0):
    """Runs a script with programs that only write down their arguments."""
    with tempfile.TemporaryDirectory() as folder:
        for program in ("mkfs.xfs", "mount", "mkdir"):
            path = os.path.join(folder, program)
            with open(path, "w", encoding="utf-8") as stub:
                stub.write("#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\" >>\"$RECORD\"\n"
                           "printf '\\n\\0' >>\"$RECORD\"\n")
            os.chmod(path, 0o755)
        record = os.path.join(folder, "record")
        ran = subprocess.run(["sh", "-c", script, "sh", *arguments], capture_output=True,
                             env={"PATH": folder + ":/usr/bin:/bin", "RECORD": record})
        same(ran.returncode, status)
        if not os.path.exists(record):
            return []
        words = open(record, "rb").read().decode().split("\0")[:-1]
    lines, line = [], []
    for word in words:
        if word == "\n":
            lines.append(line)
            line = []
        else:
            line.append(word)
    return lines


def script_is_json(name):
    """The script runs exactly the words of the JSON, each of them one word."""
    args = ["--geometry", RAID6, "--label", name[:12], "--mountpoint", "/srv/" + name,
            "--log-device", "/dev/" + name.replace(",", ""), "--log-size", "1g"]
    _, item, _ = advice(*args)
    _, script, _ = run(*args, *FIXED)
    recorded = play(script, ["/dev/sdb"])
    words = {"DEVICE": "/dev/sdb"}
    for which, line in (("mkfs.xfs", "mkfs"), ("mount", "mount")):
        expected = [words.get(word, word) for word in item["lines"][line]]
        same([line for line in recorded if line[0] == which], [expected])
    same(item["lines"]["mount"][-1], "/srv/" + name)


def blocked_script():
    _, script, _ = run("--geometry", RAID6, "--geometry", RAID6, "--log-size", "1m", *FIXED)
    same(play(script, ["/dev/sdb", "/mnt", "/dev/sdc", "/mnt2"], status=1), [])
    assert re.search(r"^# mkfs\.xfs ", script, re.M), script


def needs_arguments():
    _, script, _ = run("--geometry", RAID6, *FIXED)
    same(play(script, [], status=2), [])


def eighty_columns():
    for args in (["--geometry", RAID6], ["--geometry", "raid6:disks=14"],
                 ["--geometry", RAID6, "--full", "--workload", "backup", "--label", "ü" * 6],
                 ["--geometry", "raid5:disks=4,chunk=512k,size=3t,offset=1m"]):
        for line in run(*args, *FIXED)[1].splitlines():
            command = re.match(r"(# )?(mkfs\.xfs|mount|echo|mkdir)|#   mend: ", line)
            assert command or len(line) <= 80, line


def in_terminal(env):
    """What the command writes when its output is a terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen([CLI, "--geometry", RAID6, *FIXED], stdout=follower,
                          env={**os.environ, "TERM": "xterm", **env}) as child:
        os.close(follower)
        text = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        child.wait()
    os.close(leader)
    return text


def colours():
    assert b"\033[" in in_terminal({"NO_COLOR": ""})
    assert b"\033[" not in in_terminal({"NO_COLOR": "1"})
    assert b"\033[" not in in_terminal({"TERM": "dumb", "NO_COLOR": ""})
    assert "\033" not in run("--geometry", RAID6, *FIXED)[1]


def full_disk():
    for words in (["--help"], ["--version"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            same(subprocess.run([CLI, *words], stdout=full, stderr=subprocess.PIPE).returncode, 4)
    with open("/dev/full", "w", encoding="utf-8") as full:
        ran = subprocess.run([CLI, "--geometry", RAID6, *FIXED], stdout=full,
                             stderr=subprocess.PIPE)
    same(ran.returncode, 4)
    assert b"stdout" in ran.stderr, ran.stderr


def version_is_found():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mkfs.xfs")
        for said, version, origin in (("mkfs.xfs version 6.13.0", "6.13.0", "host"),
                                      ("mkfs.xfs version 9.9", "9.9", "host"),
                                      ("something else", "6.1", "assumed"),
                                      ("mkfs.xfs version ", "6.1", "assumed")):
            with open(path, "w", encoding="utf-8") as stub:
                stub.write(f"#!/bin/sh\necho '{said}'\n")
            os.chmod(path, 0o755)
            out = run("--geometry", RAID6, "--json", env={"PATH": folder})[1]
            item = json.loads(out)["advice"][0]
            same((item["target"]["xfsprogs"], item["target"]["xfsprogs_origin"]),
                 (version, origin))
            ids = [finding["id"] for finding in item["findings"]]
            same("assumed" in ids, origin == "assumed")
            same("xfsprogs-unknown" in ids, version == "9.9")


def silent_mkfs():
    """A mkfs.xfs that hangs does not hang the tool."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mkfs.xfs")
        with open(path, "w", encoding="utf-8") as stub:
            stub.write("#!/bin/sh\nexec sleep 50\n")
        os.chmod(path, 0o755)
        out = run("--geometry", RAID6, "--json", env={"PATH": folder + ":/bin:/usr/bin"})[1]
        same(json.loads(out)["advice"][0]["target"]["xfsprogs_origin"], "assumed")


def writes_nothing():
    # Leaks cannot be looked for while another program traces.
    traced = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    with tempfile.NamedTemporaryFile() as log:
        subprocess.run(["strace", "-f", "-e", "trace=open,openat,creat", "-o", log.name, CLI,
                        "--geometry", RAID6, "--log-device", "/dev/null", "--json"], check=True,
                       capture_output=True, env=traced)
        for line in open(log.name, encoding="utf-8"):
            opened = re.search(r'"([^"]*)".*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)', line)
            assert not opened or opened.group(1) == "/dev/null", line


def help_and_version():
    status, out, err = run("--help")
    same((status, err), (0, ""))
    assert all(len(line) <= 80 for line in out.splitlines())
    same(run("--version")[1], "xfsadvise 0.1.0\n")


def main():
    tap = Tap()
    for args, names in BAD:
        tap.check("refused: " + " ".join(args)[:60], refused, args, names)
    for name in HOSTILE:
        tap.check(f"one word: {name!r}", script_is_json, name)
    for check in (statuses, unknown_is_null, contract, assumptions, several_arrays, blocked_script,
                  needs_arguments, eighty_columns, colours, full_disk, version_is_found,
                  silent_mkfs,                   writes_nothing, help_and_version):
        tap.check(check.__name__.replace("_", " "), check)
    tap.finish()


if __name__ == "__main__":
    main()
