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
    assert waits(gil={"lock_wait": 0.35})


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


def test_a_run_in_which_nothing_is_judged_fails(tmp_path):
    with pytest.raises(AssertionError, match="nothing was judged"):
        Ledger(tmp_path / "ledger").add(TWO_LINES, "run", [])


@pytest.fixture
def ledger_of_runs(tmp_path):
    (tmp_path / "ledger").touch()
    ledger = Ledger(tmp_path / "ledger")

    def add(case, tests, retries):
        for number in range(tests + retries):
            ledger.add(case, "run", [Finding("cell", 0.5, 0.5, 1000)], number >= tests)
        return ledger

    return add


@pytest.mark.parametrize(
    "tests, retries, accident",
    [(1, 0, True), (1, 1, True), (2, 2, True), (4, 4, False), (100, 10, True), (100, 20, False)],
)
def test_an_error_that_comes_and_goes_is_no_accident(ledger_of_runs, tests, retries, accident):
    ledger = ledger_of_runs(TWO_LINES, tests, retries)
    assert (not ledger.too_often_retried()) == accident
    assert (f"{retries} of {tests}" in "".join(ledger.retry_lines())) == bool(retries)


def test_one_case_that_is_often_retried_shows_among_many(ledger_of_runs):
    ledger_of_runs(WAITS, 200, 0)
    assert ledger_of_runs(TWO_LINES, 10, 6).too_often_retried() == ["two-lines: 6 of 10 tests needed a second run"]


SESSIONS = {
    "sound": ("ledger.add('case', 'run', [FINDING])", 0.0, ""),
    "biased": ("ledger.add('case', 'run', [FINDING])", 0.1, "BIASED"),
    "retried": ("[ledger.add('case', 'run', [FINDING], again) for again in [False] * 4 + [True] * 4]", 0.0, "TOO OFTEN"),
    "silent": ("pass", 0.0, "SILENT"),
}


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("body, error, said", SESSIONS.values(), ids=SESSIONS)
def test_a_session_judges_what_its_tests_cannot(tmp_path, body, error, said, workers):
    """It fails though each of them has passed."""
    finding = Finding("cell", 0.5, 0.5 + error, 1_000_000)
    (tmp_path / "test_one.py").write_text(
        f"from judgement import Finding\nFINDING = {finding!r}\n"
        f"def test_one(ledger): {body}\n"
    )
    (tmp_path / "conftest.py").write_text("from accuracy_conftest import *\n")
    for name in ("ledger.py", "matrix.py", "cases.py"):
        (tmp_path / name).symlink_to(Path(__file__).with_name(name))
    (tmp_path / "accuracy_conftest.py").symlink_to(Path(__file__).with_name("conftest.py"))
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {TESTS} {tmp_path}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(workers), tmp_path]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert done.returncode == bool(said) and "1 passed" in done.stdout
    assert [word for word in ("BIASED", "TOO OFTEN", "SILENT") if word in done.stdout] == [said] * bool(said)


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
