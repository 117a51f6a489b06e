# SPDX-License-Identifier: Apache-2.0
"""Helpers of multiprocessing outlive the program by a few milliseconds: the recording has them, and their cost."""

import json
import subprocess
import time

import pytest
from pyrometer_tool import pyrometer, tool
from report_json import Report

POOL = """
import multiprocessing, time
from concurrent.futures import ProcessPoolExecutor

def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(100_000))

if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        list(pool.map(work, [0.2] * 4))
"""

ORPHAN = """
import os, sys, time

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(100_000))

program = os.getpid()
if os.fork() == 0:
    os.closerange(0, 3)
    while os.getppid() == program:
        burn(0.01)
    burn(0.5)
    open(sys.argv[1], "w").close()
    os._exit(0)
burn(1.5)
"""


def run(capture, python, script, *arguments):
    words = [tool(), "run", "--no-report", "-o", capture, "--python", python.path, script, *arguments]
    done = subprocess.run(list(map(str, words)), capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stderr.decode()


def report_of(capture):
    done = pyrometer("report", "--json", "-", capture)
    assert done.returncode == 0, done.stderr
    return Report(json.loads(done.stdout))


def collector_ns(report):
    return sum(cost["value"] for cost in report.data["costs"] if cost["id"] == "collector")


def test_helpers_that_end_with_the_program_are_in_the_recording(tmp_path, python):
    script, capture = tmp_path / "pool.py", tmp_path / "capture.pyro"
    script.write_text(POOL)
    said = run(capture, python, script)
    first = capture.read_bytes()
    if said:
        # A machine with very much to do: the rest is recorded later, and that is said.
        assert "still running, recorded into" in said
        pytest.skip("the helpers had no CPU for too long")
    report = report_of(capture)
    assert all(process.data["exit"] for process in report.processes), "the recording is not whole"
    assert len(report.processes) >= 5, "program, tracker, fork server and two workers"
    time.sleep(0.5)
    assert capture.read_bytes() == first, "the recording has changed after the run"


def test_what_comes_later_is_said_and_costs_add_up(tmp_path, one_python):
    script, capture, ended = tmp_path / "orphan.py", tmp_path / "capture.pyro", tmp_path / "ended"
    script.write_text(ORPHAN)
    said = run(capture, one_python, script, ended)
    assert said.splitlines() == [f"pyrometer: 1 process of the program still running, recorded into {capture}"]
    first = report_of(capture)
    assert collector_ns(first) > 0
    deadline = time.monotonic() + 60
    while not all(process.data["exit"] for process in report_of(capture).processes):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert ended.exists()
    assert collector_ns(report_of(capture)) > collector_ns(first)
