# SPDX-License-Identifier: Apache-2.0
"""Forks, pools, commands, killed children, exec, and libraries that come and go."""

import ctypes.util
import subprocess

import pytest
import pythons
from comparison import same_as_bare
from pyrometer_tool import TARGETS, expect_success, marks, profile
from report_json import ON_CPU

PROCESSES = TARGETS / "processes.py"
EACH = 0.3


def burned(report, script=PROCESSES):
    return report.merged.lines(script, marks(script)["burn"]).seconds(*ON_CPU)


@pytest.mark.parametrize(
    "kind, count",
    [("fork", 4), ("killed", 2), ("command", 2), ("pool-fork", 4), ("pool-spawn", 4), ("pool-forkserver", 4)],
)
def test_time_of_children_is_in_the_profile(python, kind, count):
    report = same_as_bare([PROCESSES, kind, count, EACH], python)
    assert burned(report) == pytest.approx(count * EACH, rel=0.2)
    workers = [
        process for process in report.processes if process.lines(PROCESSES, marks(PROCESSES)["burn"]).seconds() > 0.1
    ]
    assert len(workers) >= 2
    # A child that was sampled before it became another program by exec has two entries.
    assert len({process.pid for process in workers}) == len(workers)


def test_fork_storm(python):
    report = same_as_bare([PROCESSES, "storm", 60, 0.01], python)
    assert burned(report) == pytest.approx(0.6, rel=0.5)


def test_exec_keeps_every_stage(python):
    script = TARGETS / "exec_chain.py"
    report = same_as_bare([script, 2, EACH], python)
    assert burned(report, script) == pytest.approx(3 * EACH, rel=0.2)


def test_libraries_that_come_and_go(python, tmp_path):
    script = TARGETS / "reload_library.py"
    report = same_as_bare([script, _library("z"), tmp_path, 400], python)
    assert report.process.lines(script, marks(script)["library"]).seconds("native") > 0.05


def _library(name):
    found = ctypes.util.find_library(name)
    table = subprocess.run(["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, text=True).stdout
    return next(line.split(" => ")[1] for line in table.splitlines() if line.split()[:1] == [found])


def test_two_thousand_forks_beside_busy_threads():
    script = TARGETS / "fork_storm.py"
    profiled = expect_success(profile([script, 2000], pythons.split()[0][0].path))
    assert profiled.process.stdout == b"2000\n"
    first = profiled.report.processes[0].pid
    assert sum(process.data["parent_pid"] == first for process in profiled.report.processes) == 2000
