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


@pytest.mark.parametrize(
    "kind, count",
    [("fork", 4), ("killed", 2), ("command", 2), ("pool-fork", 4), ("pool-spawn", 4), ("pool-forkserver", 4)],
)
def test_time_of_children_is_in_the_profile(python, kind, count):
    compared = same_as_bare([PROCESSES, kind, count, EACH], python)
    compared.assert_right(PROCESSES)
    assert len(compared.burned.stretches()) == count
    assert 2 <= len(compared.burned.pids()) <= count or kind.startswith("pool")
    # A child that was sampled before it became another program by exec has two entries; only one of them works.
    burn = marks(PROCESSES)["burn"]
    workers = [process.pid for process in compared.report.processes if process.lines(PROCESSES, burn).samples(*ON_CPU)]
    assert sorted(workers) == sorted(compared.burned.pids())


def test_fork_storm(python):
    compared = same_as_bare([PROCESSES, "storm", 60, 0.01], python)
    compared.assert_right(PROCESSES)
    assert len(compared.burned.pids()) == 60


def test_exec_keeps_every_stage(python):
    script = TARGETS / "exec_chain.py"
    compared = same_as_bare([script, 2, EACH], python)
    compared.assert_right(script)
    assert len(compared.burned.stretches()) == 3


def test_libraries_that_come_and_go(python, tmp_path):
    script = TARGETS / "reload_library.py"
    compared = same_as_bare([script, _library("z"), tmp_path, 400], python)
    seen = compared.report.process.lines(script, marks(script)["library"]).seconds("native")
    # Nearly all that the threads do; loading is the rest.
    assert seen > 0.5 * sum(compared.burned.stretches())


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
