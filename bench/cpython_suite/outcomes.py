# SPDX-License-Identifier: Apache-2.0
"""Runs tests of CPython's own suite and writes the outcome of each to a file: outcomes.py FILE NAME...

Runs on the interpreter under test (3.8 and later), bare or profiled. Each line goes out by itself and before the next
test starts, so a crash or a hang shows which test it was.
"""

import os
import sys
import unittest


class Outcomes(unittest.TestResult):
    def __init__(self, path):
        super().__init__()
        self._path, self._process = path, os.getpid()

    def _note(self, test, word):
        if os.getpid() == self._process:  # a test may leave a fork of this process behind
            with open(self._path, "a") as file:
                file.write(f"{word}\t{test.id()}\n")

    def startTest(self, test):
        super().startTest(test)
        self._note(test, "started")

    def addSuccess(self, test):
        self._note(test, "passed")

    def addSkip(self, test, reason):
        self._note(test, "skipped")

    def addExpectedFailure(self, test, error):
        self._note(test, "failed as expected")

    def addUnexpectedSuccess(self, test):
        self._note(test, "passed unexpectedly")

    def addFailure(self, test, error):
        self._bad(test, "failed", error)

    def addError(self, test, error):
        self._bad(test, "error", error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self._bad(test, "failed", error)

    def _bad(self, test, word, error):
        self._note(test, word)
        print(f"{word}: {test.id()}\n{self._exc_info_to_string(error, test)}", file=sys.stderr, flush=True)


# Ends at once or after five minutes, depending on which thread is first (CPython 3.12).
LEFT_OUT = ("WithThreadsTestPool.test_terminate",)


def all_tests(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from all_tests(one)
        elif not one.id().endswith(LEFT_OUT):
            yield one


def no_extras():
    """Leaves out what the suite itself leaves out by default: network, long and large tests."""
    from test import support

    support.use_resources = ()
    support.verbose = 0


if __name__ == "__main__":
    # Without this folder, which only holds this file, the path is that of `python -m unittest`.
    sys.path[0] = os.getcwd()
    no_extras()
    wanted = unittest.TestLoader().loadTestsFromNames(sys.argv[2:])
    unittest.TestSuite(all_tests(wanted)).run(Outcomes(sys.argv[1]))
