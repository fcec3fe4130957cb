# SPDX-License-Identifier: LGPL-2.1-or-later
"""The least of a TAP writer: checks are functions, a failed one says why."""
import sys
import traceback


class Tap:
    """Collects checks and writes one line for each."""

    def __init__(self):
        self.number = 0
        self.failed = 0

    def check(self, name, function, *args):
        self.number += 1
        try:
            function(*args)
        except AssertionError as wrong:
            self.report(name, str(wrong) or traceback.format_exc(limit=2))
        except Exception:
            self.report(name, traceback.format_exc(limit=4))
        else:
            print(f"ok {self.number} - {name}")

    def report(self, name, why):
        self.failed += 1
        print(f"not ok {self.number} - {name}")
        for line in why.splitlines():
            print(f"# {line}")

    def finish(self):
        print(f"1..{self.number}")
        sys.exit(self.failed > 0)
