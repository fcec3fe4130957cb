#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is built and shipped: header, exported symbols, tables, licences, the README. Writes TAP."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap


def run(argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, **options)


def must(argv, **options):
    ran = run(argv, **options)
    assert ran.returncode == 0, f"{argv[0]}: {ran.stderr}"
    return ran.stdout


def header_alone(args, language, standard):
    must(["cc" if language == "c" else "c++", f"-std={standard}", "-pedantic-errors", "-Wall",
          "-Wextra", "-Werror", "-fsyntax-only", "-x", language,
          os.path.join(args.source, "include/xfsadvise.h")])


def exported_symbols(args):
    listed = must(["nm", "-D", "--defined-only", args.library])
    exported = sorted(re.findall(r" T (\w+)", listed))
    header = open(os.path.join(args.source, "include/xfsadvise.h"), encoding="utf-8").read()
    declared = sorted(re.findall(r"XFSA_EXPORT [^(]*?(xfsa_\w+)\(", header))
    assert exported == declared, (exported, declared)
    assert "SONAME" in must(["readelf", "-d", args.library])


def needs_only(args):
    needed = re.findall(r"NEEDED.*\[(.*)\]", must(["readelf", "-d", args.library]))
    assert set(needed) <= {"libjansson.so.4", "libc.so.6"} or "asan" in str(needed), needed


def licences(args):
    for name in must(["git", "-C", args.source, "ls-files"]).splitlines():
        path = os.path.join(args.source, name)
        if name in ("LICENSE", "README.md", ".gitignore") or name.endswith(".json"):
            continue
        with open(path, encoding="utf-8") as handle:
            first = handle.readline()
            if first.startswith("#!"):
                first = handle.readline()
        assert "SPDX-License-Identifier: LGPL-2.1-or-later" in first, name


def readme(args):
    with open(os.path.join(args.source, "README.md"), encoding="utf-8") as handle:
        return handle.read()


def readme_example(args):
    """The example's command prints what README.md says it prints."""
    shown = re.search(r"```console\n\$ (xfsadvise .*)\n((?s:.*?))```", readme(args))
    words = shown.group(1).split()
    ran = run([args.cli, *words[1:]])
    assert ran.stdout == shown.group(2), ran.stdout


def readme_program(args):
    """The C program of README.md compiles against the library and says what README.md says."""
    shown = re.search(r"```c\n((?s:.*?))```\n+(?s:.*?)```text\n((?s:.*?))```", readme(args))
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "example.c"), os.path.join(folder, "example")
        with open(source, "w", encoding="utf-8") as handle:
            handle.write(shown.group(1))
        build = os.path.dirname(args.library)
        must(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", *args.cflags, "-I",
              os.path.join(args.source, "include"), source, "-o", program, "-L", build,
              "-lxfsadvise", f"-Wl,-rpath,{build}"])
        ran = run([program], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"})
    assert (ran.returncode, ran.stdout) == (0, shown.group(2)), ran.stdout + ran.stderr


BROKEN = [
    ("findings", '"severity": "note", ', "", "missing field severity"),
    ("findings", '"severity": "note"', '"severity": "fatal"', "severity is none of"),
    ("findings", '"args": []', '"args": [], "hue": 1', "unknown key hue"),
    ("findings", "{missing_text}", "{nothing_text}", "names nothing_text"),
    ("settings", '"kind": "flag"', '"kind": "flog"', "kind is none of"),
    ("settings", '"id": "mkfs.force"', '"id": "mkfs.discard"', "stands twice"),
    ("levels", '"parity": 1', '"parity": true', "wrong type"),
    ("attributes", '"kernel", "text"', '"oracle", "text"', "no kind of source oracle"),
    ("features", "mkfs.meta.finobt", "mkfs.meta.nothing", "no setting mkfs.meta.nothing"),
    ("reasons", '"chin2010"', '"chin1810"', "no evidence chin1810"),
    ("evidence", '"id": "chin2010", ', "", "needs an id"),
    ("workloads", '"rows": [', '"rows": [,', "Expecting"),
]


def broken_table(args, table, old, new, complaint):
    """A broken row stops the build and is named by file and line."""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        shutil.copytree(os.path.join(args.source, "data"), data)
        path = os.path.join(data, table + ".json")
        with open(path, encoding="utf-8") as handle:
            text = handle.read()
        assert old in text, f"{old} stands no longer in {table}.json"
        line = text.count("\n", 0, text.index(old)) + 1
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text.replace(old, new, 1))
        out = os.path.join(folder, "gen")
        ran = run([sys.executable, os.path.join(data, "generate.py"), data, out + ".h", out + ".c"])
        assert ran.returncode == 1 and complaint in ran.stderr, ran.stderr
        said = re.search(rf"{table}\.json:(\d+): ", ran.stderr)
        assert said and abs(int(said.group(1)) - line) <= 1, (ran.stderr, line)
        assert not os.path.exists(out + ".h")


def pkg_config(args):
    private = os.path.join(os.path.dirname(args.library), "../meson-private/xfsadvise.pc")
    with open(private, encoding="utf-8") as handle:
        text = handle.read()
    wanted = re.search(r"^Requires\.private: (.*)$", text, re.M).group(1)
    assert all(name in wanted for name in ("blkid", "libudev", "jansson")), wanted
    assert not re.search(r"^Requires:", text, re.M), text


def tables_parse(args):
    folder = os.path.join(args.source, "data")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as handle:
                assert json.load(handle)["about"], name


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--source", "--library", "--cli"):
        parser.add_argument(option, required=True)
    parser.add_argument("--cflags", action="append", default=[])
    args = parser.parse_args()
    tap = Tap()
    tap.check("the header alone is C99", header_alone, args, "c", "c99")
    tap.check("the header alone is C++", header_alone, args, "c++", "c++11")
    for check in (exported_symbols, needs_only, licences, tables_parse, pkg_config,
                  readme_example, readme_program):
        tap.check(check.__name__.replace("_", " "), check, args)
    for row in BROKEN:
        tap.check(f"broken table: {row[0]}: {row[3]}", broken_table, args, *row)
    tap.finish()


if __name__ == "__main__":
    main()
