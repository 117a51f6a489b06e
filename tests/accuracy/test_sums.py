# SPDX-License-Identifier: Apache-2.0
"""Sums that must be right however the time was spent: by what the program's own clocks say in the same run."""

import json

import pytest
import pythons
from pyrometer_tool import TARGETS, expect_success, marks, profile
from report_json import ON_CPU, WAITS

TICK = 0.004  # what a thread's CPU time is known to, at its begin and at its end


def pytest_generate_tests(metafunc):
    if "python" in metafunc.fixturenames:
        main, others = pythons.split()
        rows = main + [python for python in others if python in pythons.found()]
        metafunc.parametrize("python", rows, ids=str)


def run(python, script, *arguments):
    """The report, and what the program has printed."""
    profiled = expect_success(profile([script, *arguments], python.path))
    return profiled.report, json.loads(profiled.process.stdout)


def assert_plausible(report):
    """No thread was on a CPU for longer than it lived."""
    assert report.processes
    for process in report.processes:
        cpu = process.totals.seconds(*ON_CPU)
        assert cpu <= process.elapsed * len(process.threads) + 2 * TICK


def test_exec_does_not_count_twice(python):
    """The clock of a main thread goes on through exec. The new program's first sample took all of it."""
    report, truth = run(python, TARGETS / "exec_once.py", 0.6)
    assert_plausible(report)
    cpu = [process.totals.seconds(*ON_CPU) for process in report.processes]
    assert len(cpu) == 2
    # What an interpreter needs to end comes after its last look at its clock.
    assert cpu == pytest.approx([truth["before"], truth["after"]], rel=0.02, abs=0.05)


@pytest.mark.parametrize("milliseconds", [2, 5, 10])
def test_waits_of_threads_too_short_to_be_seen(python, milliseconds):
    """Threads that live for less than the time between two looks have their waits, on their line."""
    script = TARGETS / "short_sleeps.py"
    report, truth = run(python, script, milliseconds / 1000, 900 // milliseconds, 1)
    threads = report.process.threads[1:]
    waited = sum(thread.seconds(*WAITS, "run_queue") for thread in threads)
    # A thread that begins or ends waits for the GIL and for a CPU, too.
    assert 0.98 * truth["slept"] < waited < 1.02 * truth["lived"]
    on_line = report.process.lines(script, marks(script)["sleep"]).seconds(*WAITS)
    assert on_line > 0.8 * truth["slept"]
    assert_plausible(report)


@pytest.mark.alone
def test_thousands_of_threads_have_their_waits_and_a_collector_that_knows_its_place(python):
    """Looking at each of them a hundred times a second took a core, and made the program another one."""
    script = TARGETS / "short_sleeps.py"
    report, truth = run(python, script, 1.5, 2000, 2000)
    waited = sum(thread.seconds(*WAITS, "run_queue") for thread in report.process.threads[1:])
    assert 0.98 * truth["slept"] < waited < 1.02 * truth["lived"]
    on_line = report.process.lines(script, marks(script)["sleep"]).seconds(*WAITS)
    assert on_line > 0.8 * truth["slept"]
    # 2 % for looks; the rest is for what the threads tell of themselves.
    assert report.cost("collector") / 1e9 < 0.25 * report.process.elapsed
    assert report.loss("wait_polls_put_off") > 0


def test_time_in_which_nobody_could_look_is_said(python, tmp_path):
    """What began and ended while the collector had no CPU is known to no better, and the report says so."""
    script = tmp_path / "stop.py"
    script.write_text(
        "import os, signal, time\n"
        "collector = os.getppid()\n"
        "os.kill(collector, signal.SIGSTOP)\n"
        "time.sleep(0.5)\n"
        "os.kill(collector, signal.SIGCONT)\n"
        "time.sleep(0.3)\n"
    )
    report = expect_success(profile(script, python.path)).report
    assert 0.4 < report.unpolled < report.process.elapsed
    assert_plausible(report)
