# SPDX-License-Identifier: Apache-2.0
"""Known CPU time on two lines of each child, by every way to start one."""

import json
import subprocess
import time
from pathlib import Path

import pytest
import pythons
from judgement import Finding, wrong
from matrix import DEFAULT, NO_PERF, PERF
from pyrometer_tool import TARGETS, expect_success, marks, profile, pyrometer
from report_json import ON_CPU, Report

WAYS = TARGETS / "process_ways.py"
SECONDS = 0.4
PATIENCE_SECONDS = 300
PROCESSES = {  # that work, by way
    "fork": 3,
    "fork-exit-now": 3,
    "pty-fork": 1,
    "killed": 3,
    "process-fork": 3,
    "process-spawn": 3,
    "process-forkserver": 3,
    "executor": 3,
    "pool-one-task-each": 3,
    "pool-terminated": 2,
    "command": 1,
    "command-with-pipes": 1,
    "command-E": 1,
    "command-I": 1,
    "command-S": 1,
    "shebang": 1,
    "posix-spawn": 1,
    "other-python": 1,
    "virtual-environment": 1,
    "exec-other": 1,
    "daemon": 1,
}
SMOKE = ("fork", "process-spawn", "pool-terminated", "command")


def matrix(long):
    main, others = pythons.split()
    yield from ((way, main[0], DEFAULT) for way in PROCESSES)
    for python in main[1:]:
        yield from ((way, python, DEFAULT) for way in PROCESSES if long or way in SMOKE)
    if not long:
        return
    yield from ((way, main[0], setting) for way in PROCESSES for setting in (PERF, NO_PERF))
    # A Python of another root cannot start itself again.
    here = [python for python in others if python in pythons.found()]
    yield from ((way, python, setting) for way in PROCESSES for python in here for setting in (DEFAULT, PERF))


def pytest_generate_tests(metafunc):
    if "way" in metafunc.fixturenames:
        rows = list(matrix(metafunc.config.getoption("--long")))
        ids = [f"{way}-{python}-{setting.name}" for way, python, setting in rows]
        metafunc.parametrize("way, python, setting", rows, ids=ids)


@pytest.fixture(scope="session")
def another(tmp_path_factory):
    """The Python that a way needs beside its own, as its arguments."""

    def find(way, python):
        if way in ("other-python", "exec-other"):
            others = [one.path for one in pythons.found() if one.version != python.version]
            return others[-1:] or pytest.skip("there is no Python of another version")
        if way == "virtual-environment":
            folder = tmp_path_factory.mktemp("environment")
            subprocess.run([python.path, "-m", "venv", "--without-pip", folder], check=True)
            return [folder / "bin/python"]
        return []

    return find


def settled(capture):
    """The report when all processes have ended; a daemon is recorded beyond the end of the program."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        done = pyrometer("report", "--json", "-", capture)
        assert done.returncode == 0, done.stderr
        report = Report(json.loads(done.stdout))
        if all(process.data["exit"] is not None for process in report.processes):
            return report
        assert time.monotonic() < end, "a process has no end"
        time.sleep(0.1)


def truths(folder):
    """(process id, seconds by mark) of each program that worked; a process may be two, one after the other."""
    return [(int(path.name), json.loads(path.read_text())) for path in Path(folder).iterdir() if path.name.isdigit()]


def lines(processes, *names):
    numbers = set().union(*(marks(WAYS)[name] for name in names))
    cells = [process.lines(WAYS, numbers) for process in processes]
    return sum(cell.seconds(*ON_CPU) for cell in cells), sum(cell.samples(*ON_CPU) for cell in cells)


def judge(truth, report):
    """Findings on the sum of all lines, on each line, and on each process."""
    whole = sum(sum(times.values()) for _, times in truth)
    seen, samples = lines([report.merged], "first", "second")
    yield Finding("cpu of all", 1.0, seen / whole, samples, 2 * len(truth))
    for name in ("first", "second"):
        time_there, _ = lines([report.merged], name)
        yield Finding(name, sum(times[name] for _, times in truth) / whole, time_there / whole, samples, 2 * len(truth))
    for pid in {pid for pid, _ in truth}:
        own = sum(sum(times.values()) for one, times in truth if one == pid)
        there, samples = lines([process for process in report.processes if process.pid == pid], "first", "second")
        yield Finding(f"process {pid}", 1.0, there / own, samples, 2 * sum(one == pid for one, _ in truth))


def test_children(way, python, setting, duration, another, tmp_path, ledger):
    folder, capture = tmp_path / "truth", tmp_path / "x.pyro"
    folder.mkdir()
    target = "other-python" if way == "virtual-environment" else way
    words = [WAYS, target, folder, SECONDS * duration, *another(way, python)]
    expect_success(profile(words, python.path, setting.options, setting.launcher, capture=capture))
    report = settled(capture)
    truth = truths(folder)
    assert len({pid for pid, _ in truth}) == PROCESSES[way]
    findings = list(judge(truth, report))
    ledger.add("processes", f"{way} {python} {setting.name}", findings[:3])
    assert not wrong(findings), "\n".join(map(str, findings))
