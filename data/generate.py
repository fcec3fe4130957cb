#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Turns the tables of this folder into one C header and one C source, checking every row.
# A row with a missing field, an unknown key or an unknown reference stops the build with file:line.
import json
import os
import re
import sys

NUMBER = (int,)
TEXT = (str,)
# For each table: field -> (types, required, default).
SCHEMAS = {
    "levels": {"family": (TEXT, True, None), "parity": (NUMBER, True, None),
               "min_disks": (NUMBER, True, None), "chunk": ((bool,), True, None),
               "legs": ((bool,), True, None)},
    "attributes": {"type": (TEXT, True, None), "precedence": ((list,), True, None),
                   "conflict": ((bool,), True, None), "min": (NUMBER, False, 0),
                   "max": (NUMBER, False, 2**63 - 1)},
    "devices": {"name": (TEXT, False, ""), "path": (TEXT, False, ""), "vendor": (TEXT, False, ""),
                "model": (TEXT, False, ""), "hint": (TEXT, True, None)},
    "workloads": {"log_unit": (TEXT, True, None), "logbsize_bytes": (NUMBER, True, None),
                  "noatime": ((bool,), True, None), "streams": ((bool,), True, None)},
    "xfsprogs": {"since": (TEXT, True, None), "value": (NUMBER, True, None),
                 "source": (TEXT, True, None)},
    "kernels": {"since": (TEXT, True, None), "value": (NUMBER, True, None),
                "source": (TEXT, True, None)},
    "features": {"setting": (TEXT, True, None), "kernel": (TEXT, True, None),
                 "defaults": ((dict,), True, None)},
    "settings": {"where": (TEXT, True, None), "option": (TEXT, True, None),
                 "key": (TEXT, True, None), "kind": (TEXT, True, None),
                 "min": (NUMBER, False, 0), "max": (NUMBER, False, 2**63 - 1),
                 "power_of_two": ((bool,), False, False), "late": ((bool,), False, False)},
    "mkfs-messages": {"stream": (TEXT, True, None), "usage": ((bool,), True, None),
                      "fatal": ((bool,), False, False), "args": ((list,), True, None),
                      "text": (TEXT, True, None), "why": (TEXT, True, None)},
    "findings": {"severity": (TEXT, True, None), "status": (NUMBER, False, 1),
                 "blocks": ((bool,), False, True),
                 "args": ((list,), True, None), "text": (TEXT, True, None),
                 "explain": (TEXT, True, None)},
    "reasons": {"args": ((list,), True, None), "text": (TEXT, True, None),
                "evidence": ((list,), True, None)},
    "evidence": {"source": (TEXT, True, None), "claim": (TEXT, True, None)},
}
VERSIONED = ("xfsprogs", "kernels")
REPEATED = ("devices",)
CHOICES = {
    ("levels", "family"): ["none", "concat", "mirror", "stripe", "parity", "mirror-stripe"],
    ("attributes", "type"): ["bytes", "count", "flag", "text"],
    ("workloads", "log_unit"): ["own", "block"],
    ("devices", "hint"): ["never", "pass", "trust"],
    ("settings", "where"): ["mkfs", "mount", "queue"],
    ("settings", "kind"): ["size", "count", "flag", "bool", "text", "switch"],
    ("mkfs-messages", "stream"): ["stdout", "stderr", "warning"],
    ("findings", "severity"): ["note", "warning", "error"],
}
SOURCE_KINDS = ["kernel", "text", "user", "hint"]
MAX_ARGS = 5


class BadTable(Exception):
    """A table that cannot be compiled; the text names file and line."""


def fail(path, line, text):
    raise BadTable(f"{path}:{line}: {text}")


def rows_with_lines(path):
    """The parsed file and (line, row) for each of its rows."""
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as bad:
        fail(path, bad.lineno, bad.msg)
    if set(whole) - {"about", "range", "rows"} or "about" not in whole or "rows" not in whole:
        fail(path, 1, "a table has the keys about, rows and perhaps range")
    found, decoder = [], json.JSONDecoder()
    at = text.index('"rows"') + len('"rows"')
    at = text.index("[", at) + 1
    for _ in whole["rows"]:
        at += len(text[at:]) - len(text[at:].lstrip(" \n,"))
        row, end = decoder.raw_decode(text, at)
        found.append((text.count("\n", 0, at) + 1, row))
        at = end
    return whole, found


def check_row(table, path, line, row):
    """Fills in defaults and refuses what the schema does not know."""
    schema = SCHEMAS[table]
    unknown = set(row) - set(schema) - {"id"}
    if unknown:
        fail(path, line, f"unknown key {sorted(unknown)[0]}")
    if not isinstance(row.get("id"), str) or not row["id"]:
        fail(path, line, "a row needs an id")
    for field, (types, required, default) in schema.items():
        if field not in row:
            if required:
                fail(path, line, f"{row['id']}: missing field {field}")
            row[field] = default
        if not isinstance(row[field], types) or (types == NUMBER and isinstance(row[field], bool)):
            fail(path, line, f"{row['id']}: field {field} has the wrong type")
        choices = CHOICES.get((table, field))
        if choices and row[field] not in choices:
            fail(path, line, f"{row['id']}: {field} is none of {', '.join(choices)}")
    if "text" in schema:
        check_template(path, line, row)


def check_template(path, line, row):
    if len(row["args"]) > MAX_ARGS:
        fail(path, line, f"{row['id']}: more than {MAX_ARGS} args")
    for name in re.findall(r"\{([^}]*)\}", row["text"]):
        if name not in row["args"]:
            fail(path, line, f"{row['id']}: the text names {name}, which is none of its args")


def load(folder):
    tables = {}
    for table in SCHEMAS:
        path = os.path.join(folder, table + ".json")
        whole, rows = rows_with_lines(path)
        seen = set()
        for line, row in rows:
            check_row(table, path, line, row)
            key = (row["id"], row.get("since")) if table in VERSIONED else row["id"]
            if key in seen and table not in REPEATED:
                fail(path, line, f"{row['id']} stands twice")
            seen.add(key)
            row["line"] = line
        tables[table] = {"path": path, "rows": [row for _, row in rows], "range": whole.get("range")}
    check_references(tables)
    return tables


def check_references(tables):
    settings = {row["id"] for row in tables["settings"]["rows"]}
    evidence = {row["id"] for row in tables["evidence"]["rows"]}
    for row in tables["features"]["rows"]:
        if row["setting"] not in settings:
            fail(tables["features"]["path"], row["line"], f"no setting {row['setting']}")
    for row in tables["reasons"]["rows"]:
        for tag in row["evidence"]:
            if tag not in evidence:
                fail(tables["reasons"]["path"], row["line"], f"no evidence {tag}")
    for row in tables["attributes"]["rows"]:
        for kind in row["precedence"]:
            if kind not in SOURCE_KINDS:
                fail(tables["attributes"]["path"], row["line"], f"no kind of source {kind}")


def version(text):
    major, minor = text.split(".")
    return int(major) * 1000 + int(minor)


def name(prefix, ident):
    return prefix + "_" + re.sub(r"[^A-Za-z0-9]", "_", ident).upper()


def quoted(text):
    return json.dumps(text, ensure_ascii=True)


def enum(prefix, idents, suffix=""):
    lines = [f"enum {prefix.lower()}{suffix} {{"]
    lines += [f"    {name(prefix, ident)}," for ident in idents]
    lines.append(f"    {prefix}_ROWS")
    lines.append("};\n")
    return "\n".join(lines)


def template(row):
    """The text with {0}-style places, and the kinds of its args: b bytes with their unit, s a size
    as an option spells it, t text, n number."""
    text = row["text"]
    for index, arg in enumerate(row["args"]):
        text = text.replace("{" + arg + "}", "{" + str(index) + "}")
    kinds = "".join("b" if arg.endswith("_bytes") else "s" if arg.endswith("_size") else "t" if arg.endswith("_text") else "n"
                    for arg in row["args"])
    return quoted(text), quoted(kinds)


def boolean(value):
    return "true" if value else "false"


def number(value):
    return f"{value}" if abs(value) < 2**31 else f"INT64_C({value})"


def names_of(items):
    """A C list of texts, which may be empty."""
    return ", ".join(quoted(item) for item in items) or "0"


def level_row(row):
    return (f"{name('FAMILY', row['family'])}, {row['parity']}, {row['min_disks']}, "
            f"{boolean(row['chunk'])}, {boolean(row['legs'])}")


def attribute_row(row):
    ranks = ", ".join(f"[{name('SOURCE_KIND', kind)}] = {len(row['precedence']) - at}"
                      for at, kind in enumerate(row["precedence"]))
    return (f"{name('ATTRIBUTE_TYPE', row['type'])}, {{{ranks}}}, {boolean(row['conflict'])}, "
            f"{number(row['min'])}, {number(row['max'])}")


def device_row(row):
    texts = ", ".join(quoted(row[field]) for field in ("name", "path", "vendor", "model"))
    return f"{texts}, {name('HINT', row['hint'])}"


def workload_row(row):
    return (f"{boolean(row['log_unit'] == 'block')}, {row['logbsize_bytes']}, "
            f"{boolean(row['noatime'])}, {boolean(row['streams'])}")


def setting_row(row):
    return (f"{name('SETTING_WHERE', row['where'])}, {quoted(row['option'])}, "
            f"{quoted(row['key'])}, {name('SETTING_KIND', row['kind'])}, {number(row['min'])}, "
            f"{number(row['max'])}, {boolean(row['power_of_two'])}, {boolean(row['late'])}")


def feature_row(row):
    return (f"{name('SETTING', row['setting'])}, {version(row['kernel'])}, "
            f"{quoted(row['kernel'])}")


def message_row(row):
    text, kinds = template(row)
    return (f"{name('STREAM', row['stream'])}, {boolean(row['usage'])}, "
            f"{boolean(row['usage'] or row['fatal'])}, {text}, {kinds}, {quoted(row['why'])}")


def finding_row(row):
    text, kinds = template(row)
    blocks = row["blocks"] and row["severity"] == "error"
    return (f"{name('SEVERITY', row['severity'])}, {boolean(blocks)}, {row['status']}, {text}, "
            f"{kinds}, {{{names_of(row['args'])}}}, {quoted(row['explain'])}")


def reason_row(row):
    text, kinds = template(row)
    return f"{text}, {kinds}, {{{names_of(row['evidence'])}}}"


def evidence_row(row):
    return f"{quoted(row['source'])}, {quoted(row['claim'])}"


# The members of each table's struct in lib/base/tables.h, behind the id.
MEMBERS = {"levels": level_row, "attributes": attribute_row, "devices": device_row,
           "workloads": workload_row, "settings": setting_row, "features": feature_row,
           "mkfs-messages": message_row, "findings": finding_row, "reasons": reason_row,
           "evidence": evidence_row}


def initialisers(table, rows):
    return [f"{{{quoted(row['id'])}, {MEMBERS[table](row)}}}" for row in rows]


PLAIN = {"levels": "LEVEL", "devices": "DEVICE", "attributes": "ATTRIBUTE", "workloads": "WORKLOAD",
         "settings": "SETTING", "features": "FEATURE", "mkfs-messages": "MESSAGE",
         "findings": "FINDING", "reasons": "REASON", "evidence": "EVIDENCE"}


def behaviours(prefix, rows):
    idents = list(dict.fromkeys(row["id"] for row in rows))
    body = ",\n    ".join(f"{{{name(prefix, row['id'])}, {version(row['since'])}, {row['value']}}}"
                          for row in rows)
    return idents, body, len(rows)


def feature_defaults(rows):
    return [f"{{{name('FEATURE', row['id'])}, {version(since)}, {value}}}"
            for row in rows for since, value in row["defaults"].items()]


def emit_header(tables):
    out = ["/* SPDX-License-Identifier: LGPL-2.1-or-later */",
           "/* Generated from the tables of data/. */", "#pragma once", ""]
    out.append(enum("SOURCE_KIND", SOURCE_KINDS))
    for (table, field), prefix in ((("levels", "family"), "FAMILY"),
                                   (("attributes", "type"), "ATTRIBUTE_TYPE"),
                                   (("devices", "hint"), "HINT"),
                                   (("settings", "where"), "SETTING_WHERE"),
                                   (("settings", "kind"), "SETTING_KIND"),
                                   (("mkfs-messages", "stream"), "STREAM"),
                                   (("findings", "severity"), "SEVERITY")):
        out.append(enum(prefix, CHOICES[(table, field)]))
    for table, prefix in PLAIN.items():
        if table in REPEATED:
            out.append(f"enum {{ {prefix}_ROWS = {len(tables[table]['rows'])} }};")
        else:
            out.append(enum(prefix, [row["id"] for row in tables[table]["rows"]], "_id"))
    out.append(enum("PROGS", behaviours("PROGS", tables["xfsprogs"]["rows"])[0]))
    out.append(enum("KERNEL", behaviours("KERNEL", tables["kernels"]["rows"])[0]))
    known = tables["xfsprogs"]["range"]
    for key in ("first", "last", "assumed"):
        out.append(f"#define PROGS_{key.upper()} {version(known[key])}")
        out.append(f"#define PROGS_{key.upper()}_TEXT {quoted(known[key])}")
    return "\n".join(out) + "\n"


def emit_source(tables):
    out = ["// SPDX-License-Identifier: LGPL-2.1-or-later",
           "// Generated from the tables of data/.",
           '#include "base/tables.h"', ""]
    structs = {"mkfs-messages": "message"}
    for table, prefix in PLAIN.items():
        kind = structs.get(table, prefix.lower())
        body = ",\n    ".join(initialisers(table, tables[table]["rows"]))
        out.append(f"const struct {kind}_row xa_{kind}_table[{prefix}_ROWS] = {{\n    {body}\n}};\n")
    for prefix, table in (("PROGS", "xfsprogs"), ("KERNEL", "kernels")):
        _, body, count = behaviours(prefix, tables[table]["rows"])
        out.append(f"const struct behaviour_row xa_{prefix.lower()}_table[] = {{\n    {body}\n}};")
        out.append(f"const unsigned xa_{prefix.lower()}_table_rows = {count};\n")
    defaults = feature_defaults(tables["features"]["rows"])
    body = ",\n    ".join(defaults)
    out.append(f"const struct behaviour_row xa_feature_default_table[] = {{\n    {body}\n}};")
    out.append(f"const unsigned xa_feature_default_rows = {len(defaults)};")
    return "\n".join(out) + "\n"


def main():
    folder, header, source = sys.argv[1:4]
    try:
        tables = load(folder)
    except (BadTable, OSError) as bad:
        print(f"generate.py: {bad}", file=sys.stderr)
        return 1
    with open(header, "w", encoding="utf-8") as handle:
        handle.write(emit_header(tables))
    with open(source, "w", encoding="utf-8") as handle:
        handle.write(emit_source(tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
