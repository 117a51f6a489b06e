# SPDX-License-Identifier: Apache-2.0
"""Samples of a program that shares its CPU with others."""

import contextlib
import math
import os
import subprocess
import sys

import pythons
from judgement import SIGMAS
from pyrometer_tool import expect_success, profile
from report_json import ON_CPU

# Most of its samples of memory are taken where it also uses the CPU. As long as it takes for enough
# samples of that, however fast the machine is.
ALLOCATES = """
import time

def make(count):
    out = []
    for i in range(count):
        out.append([i, str(i), {}])
    return out

while time.process_time() < 2.5:
    make(100000)
"""


@contextlib.contextmanager
def one_busy_cpu(programs):
    """What is started inside has one CPU, on which so many programs run already."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    burn = "while True: sum(range(1000))"
    others = [subprocess.Popen([sys.executable, "-c", burn]) for _ in range(programs)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, allowed)


def samples(program, python, *options):
    """(their number, how many there were in a second of CPU time)"""
    totals = expect_success(profile(program, python.path, options)).report.merged.totals
    return totals.samples(*ON_CPU), totals.samples(*ON_CPU) / totals.seconds(*ON_CPU)


def test_samples_of_memory_do_not_cost_samples_of_time(tmp_path):
    """They did while each asked for the thread's CPU time: turns then ended between the kernel's
    ticks, and half of the samples were never taken."""
    program = tmp_path / "program.py"
    program.write_text(ALLOCATES)
    with one_busy_cpu(3):
        number, alone = samples(program, pythons.split()[0][0], "--rate", "250", "--cpu-only")
        other_number, both = samples(program, pythons.split()[0][0], "--rate", "250")
    # Which ticks meet the program is a matter of chance, of others' turns as much as of its own.
    chance = SIGMAS * math.sqrt(1 / number + 1 / other_number)
    assert chance < 0.4, "too few samples to tell"
    assert both > (1 - chance) * alone
