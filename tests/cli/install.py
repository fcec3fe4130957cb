#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What `meson install` gives: a tree that a program builds and runs with, man pages that say what
the program and the library do, completion. Writes TAP. Starts no printed line."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap

STATUSES = "EXIT_FINE = 0, EXIT_BLOCKED = 1, EXIT_USAGE = 2, EXIT_MISSING = 3, EXIT_UNREADABLE = 4"
COMMANDS = {"ADVISE": {"advise"}, "CAPTURE": {"capture"}, "BOTH": {"advise", "capture"}}
CHANGING = ("open openat openat2 creat mkdir mkdirat mknod mknodat link linkat symlink symlinkat "
            "rename renameat renameat2 unlink unlinkat rmdir truncate chmod fchmod fchmodat "
            "fchmodat2 chown lchown fchown fchownat utime utimes utimensat setxattr lsetxattr "
            "fsetxattr").split()


def run(argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, **options)


def must(argv, **options):
    ran = run(argv, **options)
    assert ran.returncode == 0, f"{argv[0]}: {ran.stdout}{ran.stderr}"
    return ran.stdout


def same(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as handle:
        return handle.read()


# ---- The tree ----------------------------------------------------------------------------

class Tree:
    """A DESTDIR that the build is installed into."""

    def __init__(self, args, folder):
        self.folder = folder
        self.source, self.build = map(os.path.abspath, (args.source, args.build))
        told = json.loads(must(["meson", "introspect", "--buildoptions", args.build]))
        options = {row["name"]: row["value"] for row in told}
        self.prefix = options["prefix"]
        self.at = {name: os.path.join(self.prefix, options[name])
                   for name in ("sbindir", "libdir", "includedir", "mandir", "datadir")}
        self.version = json.loads(must(["meson", "introspect", "--projectinfo",
                                        args.build]))["version"]

    def path(self, name, *rest):
        return self.folder + os.path.join(self.at[name], *rest)

    @property
    def cli(self):
        return self.path("sbindir", "xfsadvise")

    def environment(self, **more):
        return {**os.environ, "LD_LIBRARY_PATH": self.path("libdir"), "LC_ALL": "C", **more}

    def page(self, name):
        return self.path("mandir", f"man{name[-1]}", name)


def install(tree):
    """Installs, and returns each path that was changed by it."""
    with tempfile.NamedTemporaryFile("r") as log:
        traced = "trace=" + ",".join("?" + call for call in CHANGING)
        must(["strace", "-f", "-qq", "-y", "-o", log.name, "-e", traced, "--",
              "meson", "install", "-C", tree.build, "--no-rebuild", "--destdir", tree.folder],
             env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        paths, opened = [], {}
        for line in log:
            paths += [opened.get(path, path) for path in changed(line)]
            for number, path in re.findall(r" = (\d+)<(.*)>$", line):
                opened["/proc/self/fd/" + number] = path
        return paths


def changed(line):
    """The paths that one line of strace changes."""
    call = re.match(r"(?:\d+ +)?(\w+)\((.*)", line)
    if not call or re.search(r"\) += -1 ", line):
        return []
    name, rest = call.groups()
    if name.startswith("open") and not re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC)", rest):
        return []
    if name in ("fchmod", "fchown", "fsetxattr"):
        return re.findall(r"^\d+<(.*?)>", rest)
    found = re.findall(r'(?:(?:\d+|AT_FDCWD)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"', rest)
    if "link" in name and not name.startswith("unlink"):
        found = found[-1:]
    return [os.path.join(base, path) for base, path in found]


def nothing_outside(tree, paths):
    own = (tree.folder + "/", os.path.join(tree.build, "meson-logs") + "/", "/dev/")
    strange = [path for path in paths
               if not os.path.abspath(path).startswith(own) and path != tree.folder]
    same(strange, [])
    assert any(path.startswith(tree.folder + "/") for path in paths), "the trace shows nothing"


def whole_tree(tree):
    wanted = {
        tree.cli: 0o755,
        tree.path("includedir", "xfsadvise.h"): 0o644,
        tree.path("libdir", "libxfsadvise.a"): 0o644,
        tree.path("libdir", "libxfsadvise.so." + tree.version): 0o755,
        tree.path("libdir", "pkgconfig/xfsadvise.pc"): 0o644,
        tree.page("xfsadvise.8"): 0o644,
        tree.page("libxfsadvise.3"): 0o644,
        tree.path("datadir", "bash-completion/completions/xfsadvise"): 0o644,
    }
    found = {}
    for folder, _, names in os.walk(tree.folder):
        for path in (os.path.join(folder, name) for name in names):
            if not os.path.islink(path):
                found[path] = os.stat(path).st_mode & 0o7777
    same(found, wanted)


def library_links(tree):
    library = tree.path("libdir", "libxfsadvise.so." + tree.version)
    soname = re.search(r"SONAME.*\[(.*)\]", must(["readelf", "-d", library])).group(1)
    same(soname, "libxfsadvise.so." + tree.version.split(".", maxsplit=1)[0])
    for name in ("libxfsadvise.so", soname):
        link = tree.path("libdir", name)
        assert os.path.islink(link) and not os.path.isabs(os.readlink(link)), name
        same(os.path.realpath(link), library)


def command_runs(tree):
    same(must([tree.cli, "--version"], env=tree.environment()), f"xfsadvise {tree.version}\n")
    headers = must(["readelf", "-d", tree.cli])
    assert "RPATH" not in headers and "RUNPATH" not in headers, headers


# ---- Programs that use the library -------------------------------------------------------

def pkg_config(tree, *words):
    """What pkg-config says of the tree; other libraries are the system's."""
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith("PKG_CONFIG")}
    system = must(["pkg-config", "--variable", "pc_path", "pkg-config"], env=clean).strip()
    own = tree.path("libdir", "pkgconfig")
    return must(["pkg-config", *words, "xfsadvise"], env={
        **clean, "PKG_CONFIG_SYSROOT_DIR": tree.folder, "PKG_CONFIG_LIBDIR": f"{own}:{system}",
        "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}).split()


def pkg_config_paths(tree):
    text = read(tree.path("libdir", "pkgconfig/xfsadvise.pc"))
    for folder in (tree.folder, tree.build, tree.source):
        assert folder not in text, text
    same(pkg_config(tree, "--modversion"), [tree.version])
    assert f"prefix={tree.prefix}\n" in text, text
    assert "-I" + tree.path("includedir") in pkg_config(tree, "--cflags")
    same(pkg_config(tree, "--libs"), ["-L" + tree.path("libdir"), "-lxfsadvise"])


def example_blocks(page):
    text = section(page, "EXAMPLES")
    return [plain(block) for block in re.findall(r"^\.EX\n(.*?)^\.EE", text, re.M | re.S)]


def build_example(tree, folder, flags):
    source, program = os.path.join(folder, "example.c"), os.path.join(folder, "example")
    with open(source, "w", encoding="utf-8") as handle:
        handle.write(example_blocks(read(tree.page("libxfsadvise.3")))[0])
    must(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags])
    return program


def run_example(tree, program, environment):
    shown = example_blocks(read(tree.page("libxfsadvise.3")))[1]
    ran = run([program], env=environment)
    same((ran.returncode, ran.stdout, ran.stderr), (0, shown, ""))
    blocked = run([program, "raid5:disks=5,chunk=64k"], env=environment)
    same(blocked.returncode, 3)
    assert "error: not known: size" in blocked.stdout, blocked.stdout
    same(run([program, "raid7"], env=environment).returncode, 4)


def dynamic_program(tree, folder):
    program = build_example(tree, folder, pkg_config(tree, "--cflags", "--libs"))
    assert "[libxfsadvise.so." in must(["readelf", "-d", program])
    run_example(tree, program, tree.environment())


def static_program(tree, folder):
    """Only the library itself is linked statically: systems have no libudev to link so."""
    flags = ["-l:libxfsadvise.a" if word == "-lxfsadvise" else word
             for word in pkg_config(tree, "--static", "--cflags", "--libs")]
    assert "-ljansson" in flags, flags
    program = build_example(tree, folder, flags)
    assert "libxfsadvise" not in must(["readelf", "-d", program])
    run_example(tree, program, {"PATH": os.environ["PATH"]})


def device_snippet(tree, folder):
    source = os.path.join(folder, "snippet.c")
    with open(source, "w", encoding="utf-8") as handle:
        handle.write("#include <xfsadvise.h>\nint f(struct xfsa_facts *facts, struct xfsa_request "
                     "*request, struct xfsa_error err)\n{\n")
        handle.write(example_blocks(read(tree.page("libxfsadvise.3")))[2] + "return code;\n}\n")
    must(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", source,
          *pkg_config(tree, "--cflags")])


# ---- Man pages ---------------------------------------------------------------------------

def plain(text):
    """Text of a man page without what troff makes of it."""
    text = re.sub(r"\\f[BIRP]|\\[&|]", "", text)
    for code, sign in ((r"\(aq", "'"), (r"\(dq", '"'), (r"\~", " "), (r"\-", "-"), (r"\e", "\\")):
        text = text.replace(code, sign)
    return text


def section(page, name):
    found = re.search(rf"^\.SH {name}\n(.*?)(?=^\.SH |\Z)", page, re.M | re.S)
    assert found, f"no section {name}"
    return found.group(1)


def lint(tree, name):
    page = tree.page(name)
    ran = run(["groff", "-man", "-Tutf8", "-ww", "-z", page])
    same((ran.returncode, ran.stdout + ran.stderr), (0, ""))
    ran = run(["mandoc", "-T", "lint", page])
    same([line for line in (ran.stdout + ran.stderr).splitlines()
          if "date" not in line and "outdated" not in line], [])


def page_title(tree, name):
    title = re.search(r'^\.TH (\S+) (\d) \d{4}-\d\d-\d\d "xfsadvise (\S+)"',
                      read(tree.page(name)), re.M).groups()
    same(title, (name[:-2].upper(), name[-1], tree.version))


def option_table(tree):
    """Of each option in cli/options.c: what its value is called, and the commands."""
    rows = re.findall(r'^    \{"([a-z-]+)", (NULL|"\w+"), USE_\w+, ([A-Z| ]+),',
                      read(tree.source, "cli/options.c"), re.M)
    assert len(rows) > 20, rows
    return {name: (None if value == "NULL" else value.strip('"'),
                   set().union(*(COMMANDS[one] for one in mask.replace(" ", "").split("|"))))
            for name, value, mask in rows}


def page_options(tree):
    page = plain(section(read(tree.page("xfsadvise.8")), "OPTIONS"))
    shown = re.findall(r'^\.TP\n\.BI? --([a-z-]+)(?: " (\w+)")?$', page, re.M)
    table = option_table(tree)
    same(sorted(shown), sorted((name, row[0] or "") for name, row in table.items()))


def page_commands(tree):
    page = plain(section(read(tree.page("xfsadvise.8")), "COMMANDS"))
    names = re.findall(r'\{"(\w+)", cmd_\w+\}', read(tree.source, "cli/main.c"))
    same(re.findall(r"^\.TP\n\.B (\w+)$", page, re.M), names)
    takes = re.search(r"Of the options it takes\n(.*?)^\.PP", page, re.M | re.S).group(1)
    same(set(re.findall(r"--([a-z-]+)", takes)),
         {name for name, row in option_table(tree).items() if "capture" in row[1]})


def page_description(tree):
    page = plain(section(read(tree.page("xfsadvise.8")), "DESCRIBING AN ARRAY"))
    keys = re.findall(r'^    \{"([a-z-]+)", KEY_', read(tree.source, "lib/source/description.c"),
                      re.M)
    same(sorted(re.findall(r"(?:^\.B[IR] |^|\(or )([a-z-]+)=", page, re.M)), sorted(keys))
    levels = json.loads(read(tree.source, "data/levels.json"))["rows"]
    named = page[:page.index("RAID 10 of md")]
    same(set(re.findall(r"^\.BR? (\w+)", named, re.M)), {row["id"] for row in levels})


def workloads(tree):
    return [row["id"] for row in json.loads(read(tree.source, "data/workloads.json"))["rows"]]


def formats(tree):
    ran = run([tree.cli, "--geometry", "raid1:size=1t", "--format", "?"], env=tree.environment())
    return re.search(r"none of (.*)", ran.stderr).group(1).split(", ")


def page_values(tree):
    page = plain(read(tree.page("xfsadvise.8")))
    same(re.findall(r"^\.TP\n\.B (\w+)$", section(page, "OUTPUT FORMATS"), re.M), formats(tree))
    shown = re.search(r"What the file system is for:\n(.*?)^\.TP", page, re.M | re.S).group(1)
    same(re.findall(r"^\.BR? ([a-z-]+)", shown, re.M), workloads(tree))
    same(re.findall(r"^\.TP\n\.B (\d)$", section(page, "EXIT STATUS"), re.M), list("01234"))
    assert STATUSES in read(tree.source, "cli/cli.h")


def keys_of(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def page_json(tree):
    """Each key that the page names is in the output."""
    page = plain(section(read(tree.page("xfsadvise.8")), "JSON")).replace("mkfs.xfs", "")
    named = {word for line in re.findall(r"^\.BR? (.*)$", page, re.M)
             for word in re.findall(r"\b[a-z]+(?:_[a-z]+)*\b", line)}
    known = set()
    for words in (["--from", os.path.join(tree.source, "data/samples/md-raid6.json")],
                  ["--geometry", "raid5"]):
        ran = run([tree.cli, "--json", *words], env=tree.environment())
        known |= keys_of(json.loads(ran.stdout))
    same(named - known, set())
    assert len(named) > 60, named


def page_functions(tree):
    page = plain(read(tree.page("libxfsadvise.3")))
    declared = re.findall(r"XFSA_EXPORT [^(]*?(xfsa_\w+)\(", read(tree.path("includedir"),
                                                                  "xfsadvise.h"))
    listed = re.findall(r"^\.TP\n\.BR (xfsa_\w+) \(\)\n[a-z]", page, re.M)
    same(sorted(listed), sorted(declared))
    assert set(re.findall(r"xfsa_\w+(?= \()|xfsa_\w+(?=\()", page)) == set(declared)


def example_commands(tree):
    blocks = example_blocks(read(tree.page("xfsadvise.8")))
    return [command for block in blocks for command in re.findall(r"^\$ (.*?)(?=^\$ |\Z)", block,
                                                                  re.M | re.S)]


def run_example_command(tree, folder, command):
    """Runs it on a capture that holds /dev/md0. Nothing but xfsadvise is ever started here."""
    words = command.split()
    if words[:2] == ["xfsadvise", "capture"]:
        command = command.replace("/dev/md0", "--help").replace(">capture.json", "")
    elif words[0] == "xfsadvise":
        command = command.replace("/dev/md0", "--from capture.json /dev/md0")
    else:
        same(words, ["sh", "make-xfs"])
        command = "sh -n make-xfs && cat make-xfs"
    shutil.copy(os.path.join(tree.source, "data/samples/md-raid6.json"),
                os.path.join(folder, "capture.json"))
    path = f"{tree.path('sbindir')}:{os.environ['PATH']}"
    ran = run(["sh", "-c", command], cwd=folder, env=tree.environment(PATH=path))
    same((ran.returncode, ran.stderr), (0, ""))
    assert (len(ran.stdout) > 0) != (">make-xfs" in command), ran.stdout


# ---- Completion --------------------------------------------------------------------------

DRIVE = """
source "$1" && shift || exit 1
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_xfsadvise
[[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(tree, folder, *words):
    """What may stand in place of the last word, split as bash splits it."""
    script = tree.path("datadir", "bash-completion/completions/xfsadvise")
    ran = run(["bash", "--norc", "--noprofile", "-c", DRIVE, "bash", script, "xfsadvise", *words],
              cwd=folder)
    same((ran.returncode, ran.stderr), (0, ""))
    return sorted(ran.stdout.splitlines())


def fill(folder):
    """A folder with files, and with devices of another machine."""
    for name, size in (("sda", 8), ("sdb", 8), ("cciss!c0d0", 8), ("loop0", 0)):
        home = os.path.join(folder, "root/sys/class/block", name)
        os.makedirs(home)
        with open(os.path.join(home, "size"), "w", encoding="utf-8") as handle:
            handle.write(f"{size}\n")
    for name in ("capture.json", "captured twice.json"):
        with open(os.path.join(folder, name), "w", encoding="utf-8"):
            pass
    return folder


def completes_options(tree, folder):
    for command, first in (("advise", ["--json"]), ("capture", ["capture"])):
        wanted = sorted("--" + name for name, row in option_table(tree).items()
                        if command in row[1])
        same(completed(tree, folder, *first, "--"), wanted)
        same(completed(tree, folder, *first, "--x"), ["--xfsprogs"])


def completes_commands(tree, folder):
    names = re.findall(r'\{"(\w+)", cmd_\w+\}', read(tree.source, "cli/main.c"))
    got = completed(tree, folder, "")
    same([word for word in got if not word.startswith("/dev/")], names)
    same(completed(tree, folder, "cap"), ["capture"])
    same(completed(tree, folder, "--json", "cap"), [])


def completes_values(tree, folder):
    for option, values in (("--workload", workloads(tree)), ("--format", formats(tree))):
        same(completed(tree, folder, option, ""), sorted(values))
        same(completed(tree, folder, option, "="), sorted(values))
    same(completed(tree, folder, "--workload", "=", "da"), ["database"])
    same(completed(tree, folder, "--writers", ""), [])


def completes_description(tree, folder):
    levels = [row["id"] for row in json.loads(read(tree.source, "data/levels.json"))["rows"]]
    same(completed(tree, folder, "--geometry", ""), sorted(name + ":" for name in levels))
    for rest in ([":"], [":", "disks"], [":", "disks", "="], [":", "disks", "=", "4,"]):
        same(completed(tree, folder, "--geometry", "raid6", *rest), [])


def completes_files(tree, folder):
    same(completed(tree, folder, "--from", "cap"), ["capture.json", "captured twice.json"])
    same(completed(tree, folder, "--from", "=", "capture."), ["capture.json"])
    for option in ("--sysroot", "--mountpoint"):
        same(completed(tree, folder, option, ""), ["root"])


def completes_devices(tree, folder):
    other = ["--sysroot", "root"]
    same(completed(tree, folder, *other, ""), ["/dev/cciss/c0d0", "/dev/sda", "/dev/sdb"])
    same(completed(tree, folder, "--sysroot", "=", "root", "/dev/sd"), ["/dev/sda", "/dev/sdb"])
    same(completed(tree, folder, *other, "--log-device", "/dev/sda"), ["/dev/sda"])
    same(completed(tree, folder, "capture", *other, "/dev/sdb"), ["/dev/sdb"])
    same(completed(tree, folder, f"{folder}/capture."), [f"{folder}/capture.json"])


def own_devices():
    here = set()
    for name in os.listdir("/sys/class/block"):
        path = f"/sys/class/block/{name}/size"
        if os.path.exists(path) and int(read(path)):
            here.add("/dev/" + name.replace("!", "/"))
    return here


def completes_own_devices(tree, folder):
    """Devices may come and go meanwhile, so each set only has to lie between the others."""
    before = own_devices()
    got = {word for word in completed(tree, folder, "") if word.startswith("/dev/")}
    after = own_devices()
    assert before & after <= got <= before | after, (before, got, after)


def completion_is_registered(tree, folder):
    script = tree.path("datadir", "bash-completion/completions/xfsadvise")
    same(must(["bash", "--norc", "--noprofile", "-c", f"set -u; source '{script}'; "
               "complete -p xfsadvise"], cwd=folder), "complete -F _xfsadvise xfsadvise\n")


# ---- All of them -------------------------------------------------------------------------

def check_pages(tap, tree, folder):
    for name in ("xfsadvise.8", "libxfsadvise.3"):
        tap.check(f"{name}: lint", lint, tree, name)
        tap.check(f"{name}: title", page_title, tree, name)
    for check in (page_options, page_commands, page_description, page_values, page_json,
                  page_functions):
        tap.check(check.__name__.replace("_", " "), check, tree)
    for command in example_commands(tree):
        tap.check(f"example: {' '.join(command.split())[:60]}", run_example_command, tree, folder,
                  command)


def check_tree(tap, tree, folder):
    tap.check("nothing is written outside DESTDIR", nothing_outside, tree, install(tree))
    for check in (whole_tree, library_links, command_runs, pkg_config_paths):
        tap.check(check.__name__.replace("_", " "), check, tree)
    for check in (dynamic_program, static_program, device_snippet):
        tap.check(check.__name__.replace("_", " "), check, tree, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", required=True)
    args = parser.parse_args()
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        tree = Tree(args, os.path.join(folder, "destination"))
        check_tree(tap, tree, folder)
        check_pages(tap, tree, folder)
        files = fill(os.path.join(folder, "files"))
        for check in (completion_is_registered, completes_options, completes_commands,
                      completes_values, completes_description, completes_files, completes_devices,
                      completes_own_devices):
            tap.check(check.__name__.replace("_", " "), check, tree, files)
    tap.finish()


if __name__ == "__main__":
    sys.exit(main())
