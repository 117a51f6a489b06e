# SPDX-License-Identifier: Apache-2.0
"""The comparison with what a program burned: the truth passes, and a profile that has lost or moved time does not."""

import json

import pytest
from burned import Burned
from comparison import Compared
from judgement import wrong
from pyrometer_tool import marks
from report_json import Report

SCRIPT = '''x = 0
for i in range(9): x += i  # mark: red
for i in range(9): x += i  # mark: blue
'''
PER_SECOND = 250


def cell(seconds):
    return {"seconds": seconds, "samples": round(seconds * PER_SECOND), "low": 0, "high": 0}


class World:
    """A program that burned 1 s on one line and 0.5 s on another, each in two stretches, and a profile of it."""

    def __init__(self, folder):
        self.script = folder / "program.py"
        self.script.write_text(SCRIPT)
        # Three fifths of each stretch of red are of other threads.
        truth = [("red", 0.5, 0.2), ("red", 0.5, 0.2), ("blue", 0.25, 0.25), ("blue", 0.25, 0.25)]
        entries = [{"pid": 7, "mark": mark, "cpu": cpu, "own": own} for mark, cpu, own in truth]
        file = folder / "burned"
        file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        self.burned = Burned(file)

    def check(self, *amounts, **options):
        Compared(self.report(*amounts, **options), self.burned).assert_right(self.script)

    def report(self, red, blue, clock="timer", pid=7, activity="python"):
        numbers = marks(self.script)
        lines = [
            {"line": min(numbers[mark]), "scoped": {activity: cell(seconds)}}
            for mark, seconds in (("red", red), ("blue", blue))
        ]
        view = {
            "pid": pid,
            "clock": clock,
            "elapsed_seconds": 2,
            "totals": {activity: cell(red + blue + 0.05)},
            "threads": [],
            "files": [{"path": str(self.script), "lines": lines}],
        }
        return Report({"schema": "pyrometer.report", "version": 2, "processes": [view], "merged": view})


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def test_truth_passes(world):
    world.check(1.0, 0.5)
    world.check(1.004, 0.496)


@pytest.mark.parametrize("red, blue", [(0.9, 0.45), (1.1, 0.55), (0.9, 0.6), (1.0, 0.0), (0.0, 0.0)])
def test_time_that_is_lost_made_up_or_moved_fails(world, red, blue):
    with pytest.raises(AssertionError):
        world.check(red, blue)


@pytest.mark.parametrize("workers, right", [(0.6, True), (0.55, True), (0.8, False), (0.3, False), (0.0, False)])
def test_workers_have_what_other_threads_used(world, workers, right):
    finding = world.burned.judge_workers("red", workers, world.script, world.report(1.0, 0.5))
    assert (not wrong([finding])) == right


def test_time_of_another_process_fails(world):
    with pytest.raises(AssertionError):
        world.check(1.0, 0.5, pid=8)


def test_the_time_of_perf_s_interrupts_may_be_missing_and_no_more(world):
    """375 samples of 40 microseconds each are 15 ms."""
    world.check(0.96, 0.48, clock="perf")
    with pytest.raises(AssertionError):
        world.check(0.9, 0.45, clock="perf")
