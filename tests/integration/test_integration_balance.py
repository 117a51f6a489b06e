# SPDX-License-Identifier: Apache-2.0
"""The sum over all processes agrees with the kernel's, or the report says by how much it does not."""

import pytest
from pyrometer_tool import expect_success, profile, pyrometer

LOSS = "cpu_in_other_programs"
NOTE = "cpu_excess"

# Prints what the kernel says of everything that it has waited for.
WITH_CHILD = """
import os, subprocess, sys, time
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(100_000))
subprocess.run(sys.argv[1:] or [sys.executable, "-c", "sum(range(10_000_000))"], check=True)
burn(0.3)
times = os.times()
print(times.children_user + times.children_system)
"""
NO_PYTHON = ["sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"]


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(WITH_CHILD)
    return path


def notes(report):
    return [fact["value"] for fact in report.data["facts"] if fact["id"] == NOTE]


def test_the_time_of_a_program_that_is_no_python_is_counted(script, one_python, tmp_path):
    capture = tmp_path / "capture.pyro"
    done = expect_success(profile([script, *NO_PYTHON], one_python.path, capture=capture))
    truth = float(done.process.stdout)
    # Up to 10 ms of each process are before its recording begins or after its last sample.
    assert done.report.loss(LOSS) / 1e9 == pytest.approx(truth, rel=0.05, abs=0.05)
    assert notes(done.report) == []
    shown = pyrometer("report", capture).stdout.decode()
    assert " s CPU time in other programs" in shown or " ms CPU time in other programs" in shown
    # It is no matter of a single process.
    alone = pyrometer("report", capture, "--process", done.report.process.pid).stdout.decode()
    assert "other programs" not in alone


def test_python_children_are_no_loss(script, python):
    report = expect_success(profile([script], python.path)).report
    assert len(report.pids) == 2
    assert (report.loss(LOSS), notes(report)) == (0, [])
