#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares what the model says of random cases with what real versions of mkfs.xfs do.

Each case is one line of JSON to the predictor and one back; its words are then run with -N on a
sparse file, a share of the cheap ones for real too. It writes TAP, and repairs nothing: a person
re-runs a difference with --only and decides which side is wrong.
"""
import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import cases  # noqa: E402
import mkfs  # noqa: E402

SHARES = {"options": 0.6, "device": 0.2, "advice": 0.2}
SHOWN = 10
MOST_GROUPS_WRITTEN = 128
OPTIONAL_FIGURES = {"advice": ("log_sector_size",)}

worker = None


class BadPredictor(Exception):
    """It did not answer each case."""


class Worker:
    """What one process needs: its own folder, the oracle there, and how much to run for real."""

    def __init__(self, path, preload, scratch, args):
        self.folder = tempfile.mkdtemp(dir=scratch)
        self.oracle = mkfs.Oracle(path, preload, self.folder)
        self.share, self.most_bytes = args.real_share, args.real_log_mib << 20

    def runs_for_real(self, case, dry, trap):
        """Whether to make the file system: always where -N may be wrong, never when dear."""
        figures = dry.figures
        if figures["log_blocks"] * figures["block_size"] > self.most_bytes:
            return False
        if trap:
            return True
        lucky = random.Random(case["_id"] + ":real").random() < self.share
        return lucky and figures["ag_count"] <= MOST_GROUPS_WRITTEN


def start_worker(*settings):
    global worker
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    worker = Worker(*settings)


def normal(messages):
    """The predictor's messages as (stream, line) pairs with the words that the oracle has."""
    return [(message["stream"], line.replace("LOGDEVICE", "LOGPATH"))
            for message in messages or () for line in message["text"].split("\n")]


def unlike(what, expected, got):
    return [] if expected == got else ["%s: mkfs.xfs %r, predicted %r" % (what, expected, got)]


def unlike_messages(expected, got):
    found = []
    for stream in ("stdout", "stderr"):
        found += unlike(stream, [line for s, line in expected if s == stream],
                        [line for s, line in got if s == stream])
    return found


def unlike_figures(expected, got, where="", optional=()):
    """Differences of the named figures; what was not predicted is one too."""
    found = []
    for name, value in expected.items():
        if name in got or name not in optional:
            found += unlike(where + name, value, got.get(name))
    return found


def unlike_result(result, answer, figures, optional=()):
    """Differences between one run and what was predicted of it."""
    found = unlike("status", result.status, answer.get("status", 0))
    if result.figures and figures:
        found += unlike_figures(result.figures, figures, optional=optional)
        if "features" in answer:
            found += unlike_figures(result.features, answer["features"], "feature ")
    elif not found:
        found += unlike("has a table", bool(result.figures), bool(figures))
    return found + unlike_messages(result.messages, normal(answer.get("messages")))


def unlike_real_run(case, argv, answer, figures):
    """Differences with the run that writes, and with the superblock that it leaves."""
    oracle = worker.oracle
    real = oracle.run(case, argv, dry=False)
    found = unlike("real run", "ok" if real.status == 0 else "fails", answer.get("real_run", "ok"))
    if real.status == 0:
        found += unlike_result(real, answer, figures, OPTIONAL_FIGURES["advice"])
        superblock = oracle.superblock() or {}
        found += unlike_figures({name: value for name, value in superblock.items()
                                 if name in figures}, figures, "superblock ")
        found += [] if superblock else ["the real run left no superblock"]
    oracle.clear()
    return found


def judge_run(case, argv, answer, figures, optional=()):
    """(differences, whether it was run for real) of one predicted line."""
    dry = worker.oracle.run(case, argv)
    found = unlike_result(dry, answer, figures, optional)
    if dry.status != 0 or not dry.figures or not figures:
        return found, False
    made = dry.figures
    trap = answer.get("real_run") == "fails" \
        or (made["ag_count"] - 1) * made["ag_size_blocks"] >= made["blocks"]
    if not worker.runs_for_real(case, dry, trap):
        return found, False
    real = unlike_real_run(case, argv, answer, figures)
    return found + [line for line in real if line not in found], True


def judge_options(case, answer):
    argv = answer.get("argv") or []
    if argv[:1] != ["mkfs.xfs"] or not any("DEVICE" in word for word in argv[1:]):
        return ["argv is no line of mkfs.xfs with DEVICE: %r" % argv], False
    return judge_run(case, argv[1:], answer, answer.get("figures"))


def judge_advice(case, answer):
    line = (answer.get("lines") or {}).get("mkfs_options")
    if line is None:
        return [], None
    figures = answer.get("filesystem") or {}
    predicted = {"status": 0, "messages": figures.get("messages")}
    if "features" in figures:
        predicted["features"] = figures["features"]
    return judge_run(case, line + ["DEVICE"], predicted, figures, OPTIONAL_FIGURES["advice"])


def judge(pair):
    """(differences, whether run for real, None when there was no line) of a case."""
    case, answer = pair
    expected = bool(case.get("_expect_error"))
    if not isinstance(answer, dict):
        return ["the predictor's answer is no JSON object: %r" % answer], False
    if expected and "error" not in answer:
        return ["no error, though the description is wrong"], None
    if "error" in answer:
        return [] if expected else ["error: %s" % answer["error"]], None
    try:
        return (judge_advice if "geometry" in case else judge_options)(case, answer)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return ["the answer cannot be judged: %s: %s" % (type(error).__name__, error)], False


def ask(predict, asked, version):
    """The predictor's answers, in the order of the cases."""
    lines = "".join(json.dumps(cases.as_sent(case, version)) + "\n" for case in asked)
    done = subprocess.run(predict, input=lines.encode(), stdout=subprocess.PIPE)
    answers = []
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        try:
            answers.append(json.loads(line))
        except ValueError:
            answers.append(line)
    if done.returncode != 0 or len(answers) != len(asked):
        at = asked[min(len(answers), len(asked) - 1)]["_id"]
        raise BadPredictor("the predictor ended with status %d after %d answers to %d cases, see "
                           "--only %s" % (done.returncode, len(answers), len(asked), at))
    return answers


def show(case, answer, found, version):
    line = answer if not isinstance(answer, dict) else \
        answer.get("argv") or (answer.get("lines") or {}).get("mkfs_options")
    print("# --only %s   against %s" % (case["_id"], version))
    print("#   case %s" % json.dumps(cases.as_sent(case, version)))
    print("#   argv %s" % json.dumps(line))
    for text in found:
        print("#   %s" % text)


def settle(number, version, kind, asked, answers, verdicts, seconds):
    """Prints one line of TAP and the first differences; True when there are none."""
    wrong = [at for at, (found, _) in enumerate(verdicts) if found]
    made = sum(1 for _, real in verdicts if real)
    notes = ", %d made for real" % made
    if kind == "advice":
        notes += ", %d without a line" % sum(1 for _, real in verdicts if real is None)
    print("%s %d - mkfs.xfs %s: %s: %d cases, %d differences%s (%.1f s)"
          % ("not ok" if wrong else "ok", number, version, kind, len(asked), len(wrong), notes,
             seconds))
    for at in wrong[:SHOWN]:
        show(asked[at], answers[at], verdicts[at][0], version)
    sys.stdout.flush()
    return not wrong


def compare(number, version, path, kind, asked, args, scratch):
    start = time.monotonic()
    answers = ask(args.predict, asked, version)
    settings = (path, args.preload, scratch, args)
    with multiprocessing.get_context("fork").Pool(args.jobs, start_worker, settings) as pool:
        verdicts = list(pool.imap(judge, zip(asked, answers), chunksize=16))
    return settle(number, version, kind, asked, answers, verdicts, time.monotonic() - start)


def show_one(version, path, case, args, scratch):
    """Everything about one case: the question, the answer, and what the real one says."""
    start_worker(path, args.preload, scratch, args)
    answer = ask(args.predict, [case], version)[0]
    found, _ = judge((case, answer))
    show(case, answer, found or ["no difference"], version)
    print("#   seen %s" % json.dumps(mkfs.seen(case)))
    print("#   answer %s" % json.dumps(answer))
    return not found


def oracle(text):
    version, equals, path = text.partition("=")
    if not equals or not os.access(path, os.X_OK):
        raise argparse.ArgumentTypeError("%r is not VERSION=PROGRAM" % text)
    return version, os.path.abspath(path)


def readable(text):
    if not os.access(text, os.R_OK):
        raise argparse.ArgumentTypeError("cannot read %r" % text)
    return os.path.abspath(text)


def holds_large_files(folder):
    """Whether a sparse file of the largest size can be in the folder, as on a tmpfs."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(cases.LARGEST)
    except OSError:
        return False
    return True


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--predict", required=True, type=readable, help="program to compare")
    parser.add_argument("--preload", required=True, type=readable, help="preload.c as a library")
    parser.add_argument("--oracle", required=True, action="append", type=oracle,
                        metavar="VERSION=PROGRAM")
    parser.add_argument("--cases", type=int, default=3000, help="for each oracle, of all kinds")
    parser.add_argument("--kinds", default=",".join(SHARES), help="which of %(default)s")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--real-share", type=float, default=0.04, help="share made for real")
    parser.add_argument("--real-log-mib", type=int, default=256, help="largest log to write")
    parser.add_argument("--scratch", default="/dev/shm", help="a tmpfs for the sparse files")
    parser.add_argument("--only", metavar="SEED:KIND:NUMBER", help="one case, in full")
    args = parser.parse_args()
    args.kinds = args.kinds.split(",")
    if not set(args.kinds) <= set(SHARES):
        parser.error("kinds are %s" % ", ".join(SHARES))
    if not holds_large_files(args.scratch):
        parser.error("%s holds no sparse files of 500 TiB, name a tmpfs" % args.scratch)
    return args


def run_all(args, scratch):
    total = sum(SHARES[kind] for kind in args.kinds)
    print("1..%d" % (len(args.oracle) * len(args.kinds)))
    good, number = True, 0
    for kind in args.kinds:
        count = max(1, round(args.cases * SHARES[kind] / total))
        asked = [cases.make(args.seed, kind, at) for at in range(count)]
        for version, path in args.oracle:
            number += 1
            good = compare(number, version, path, kind, asked, args, scratch) and good
    return good


def main():
    args = arguments()
    # Ended by a time limit, it still takes its files with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    scratch = tempfile.mkdtemp(prefix="mkfs-model-", dir=args.scratch)
    try:
        if args.only:
            seed, kind, number = args.only.rsplit(":", 2)
            case = cases.make(seed, kind, int(number))
            # A list, so that each oracle is shown even after a difference.
            good = all([show_one(*each, case, args, scratch) for each in args.oracle])
        else:
            good = run_all(args, scratch)
    except BadPredictor as error:
        print("Bail out! %s" % error)
        good = False
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
