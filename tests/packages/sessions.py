# SPDX-License-Identifier: Apache-2.0
"""Runs a program of programs/ bare and profiled at the same time; both must look the same from outside."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from burned import Burned
from comparison import Compared, outcome
from pyrometer_tool import bare, expect_report, profile

PROGRAMS = Path(__file__).resolve().parent / "programs"
TIMEOUT_SECONDS = 900  # for what is stuck: a busy machine only takes longer
# What differs from run to run in the output of pytest: how long it took and which test was ready first.
DURATION = re.compile(rb"in \d+\.\d+s( \([\d:]+\))?$")
DOTS = re.compile(rb"^[.F]+")


def same_as_bare(words, python, folder, options=(), **environment):
    """Runs `python WORDS` both ways; {folder} in a word is a folder of its own."""

    def side(name, start):
        own = folder / name
        own.mkdir()
        variables = {
            **os.environ,
            **environment,
            "BURNED": str(own / "burned"),
            "PYTHONPATH": str(PROGRAMS),
        }
        return start([str(word).format(folder=own) for word in words], env=variables, cwd=own, timeout=TIMEOUT_SECONDS)

    def profiled(command, **where):
        return profile(command, python.path, options, **where)

    def unprofiled(command, **where):
        return bare(command, python.path, **where)

    with ThreadPoolExecutor(2) as pool:
        # Names of one length, so that wrapped texts stay the same.
        sides = [pool.submit(side, "b", unprofiled), pool.submit(side, "p", profiled)]
        expected, seen = (one.result() for one in sides)
    assert _look(seen.process, folder / "p") == _look(expected, folder / "b")
    return Compared(expect_report(seen), Burned(folder / "p" / "burned"))


def _look(process, folder):
    code, stdout, stderr = outcome(process)
    here = str(folder).encode()
    lines = [line.replace(here, b"HERE") for line in [*stdout.splitlines(), b"stderr:", *stderr]]
    return code, [DOTS.sub(_in_order, DURATION.sub(b"in SECONDS", line)) for line in lines]


def _in_order(match):
    return bytes(sorted(match[0]))
