# SPDX-License-Identifier: Apache-2.0
"""The judgement itself: a true profile passes, each kind of wrong one does not."""

import subprocess
import sys
from pathlib import Path

import pytest
from cases import CASES, Case
from judgement import Finding, judge, wrong
from ledger import Ledger
from pyrometer_tool import TESTS, marks
from report_json import Process

TWO_LINES = next(case for case in CASES if case.name == "two-lines")
WAITS = next(case for case in CASES if case.name == "waits")
TRUTH = {
    "phases": {"heavy": {"cpu": 2.0, "wait": 0}, "light": {"cpu": 0.1, "wait": 0}},
    "process_cpu": 2.15,
    "process_system": 0.0,
    "gil": True,
}


def cell(seconds, rate=1000):
    return {"seconds": seconds, "samples": int(seconds * rate), "low": seconds, "high": seconds}


def process_of(case, total, **times):
    """A profile in which each mark has the given seconds by activity."""
    numbers = marks(case.path)
    lines = [
        {"line": min(numbers[mark]), "function": "f", "scoped": {name: cell(s) for name, s in by_activity.items()}}
        for mark, by_activity in times.items()
    ]
    files = [{"path": str(case.path), "lines": lines, "functions": []}]
    return Process({"elapsed_seconds": 3, "totals": {"python": cell(total)}, "files": files, "threads": []})


def two_lines(heavy, light, total=2.15):
    return judge(TWO_LINES, TRUTH, process_of(TWO_LINES, total, heavy=heavy, light=light))


def waits(**changes):
    times = {mark: {kinds[0]: 0.35} for mark, kinds in WAITS.waits.items()}
    truth = {"phases": {mark: {"cpu": 0, "wait": 0.35} for mark in times}, "process_cpu": 0.3, "gil": True}
    return wrong(judge(WAITS, truth, process_of(WAITS, 0.3, **{**times, **changes})))


def test_truth_passes():
    assert not wrong(two_lines({"python": 2.0}, {"python": 0.1}))
    assert not waits()


def test_equal_division_between_lines_fails():
    assert wrong(two_lines({"python": 1.05}, {"python": 1.05}))


def test_wrong_activity_fails():
    assert wrong(two_lines({"python": 1.5, "native": 0.5}, {"python": 0.1}))
    assert waits(lock={"sleep": 0.35})
    assert waits(gil={"lock": 0.35})


def test_system_time_that_is_not_there_fails():
    truth = {**TRUTH, "process_system": 0.5}
    assert wrong(judge(TWO_LINES, truth, process_of(TWO_LINES, 2.15, heavy={"python": 2.0}, light={"python": 0.1})))


def test_lost_time_fails_even_when_shares_are_right():
    assert wrong(two_lines({"python": 2.0}, {"python": 0.1}, total=1.8))
    assert waits(**{mark: {kinds[0]: 0.2} for mark, kinds in WAITS.waits.items()})


def test_empty_profile_fails():
    assert wrong(two_lines({}, {}, total=0))


def test_small_bias_fails_in_the_mean_of_many_runs(tmp_path):
    (tmp_path / "ledger").touch()
    ledger = Ledger(tmp_path / "ledger")
    assert not ledger.biased()
    for _ in range(20):
        findings = two_lines({"python": 1.93}, {"python": 0.17})
        assert not wrong(findings)
        ledger.add(TWO_LINES, "run", findings)
    assert ledger.biased()


@pytest.mark.parametrize("error, code", [(0.0, 0), (0.1, 1)])
def test_a_session_with_a_bias_fails(tmp_path, error, code):
    """Though each of its tests has passed."""
    finding = Finding("cell", 0.5, 0.5 + error, 1_000_000)
    (tmp_path / "test_one.py").write_text(
        "from judgement import Finding\n"
        f"def test_one(ledger): ledger.add('case', 'run', [{finding!r}])\n"
    )
    (tmp_path / "conftest.py").write_text("from accuracy_conftest import *\n")
    for name in ("ledger.py", "matrix.py", "cases.py"):
        (tmp_path / name).symlink_to(Path(__file__).with_name(name))
    (tmp_path / "accuracy_conftest.py").symlink_to(Path(__file__).with_name("conftest.py"))
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {TESTS} {tmp_path}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert done.returncode == code and "1 passed" in done.stdout
    assert ("BIASED" in done.stdout) == bool(code)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_mark_of_a_case_is_in_its_program(case: Case):
    names = {*case.cpu, *case.waits}
    source = case.path.read_text()
    known = {name for name in names if f"def {name}(" in source} if case.functions else set(marks(case.path))
    assert names and names <= known


def test_the_whole_varies_with_its_borders_only():
    """Three processes of 100 samples each: 2 points, and a sample or so at either end of each."""
    assert not wrong([Finding("whole", 1.0, 0.96, 300, 6)])
    assert wrong([Finding("whole", 1.0, 0.95, 300, 6)])
    assert not wrong([Finding("whole", 1.0, 0.975, 3000, 60)])
    assert wrong([Finding("whole", 1.0, 0.975, 3000, 6)])
