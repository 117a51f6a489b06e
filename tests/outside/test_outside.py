# SPDX-License-Identifier: Apache-2.0
"""Probes that work from outside, over a live, unmodified Python without an agent."""

import contextlib
import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from interpreters import interpreters
from pyrometer_tool import pyrometer, read_report

HERE = Path(__file__).resolve().parent
TARGET = HERE / "outside_target.py"
# Older ones do not say which thread of the system a thread is, and an agent has to.
PYTHONS = [python for python in interpreters() if python.minor >= 11 and not python.root]
SECONDS = 1.5
# Of the recording, at least: polls begin a little late, and end early.
MOST = 0.8


def outside_probe():
    """Path of the probe: $PYROMETER_OUTSIDE_PROBE, or that of the newest build of this tree."""
    named = os.environ.get("PYROMETER_OUTSIDE_PROBE")
    if named:
        return named
    builds = list(HERE.parent.parent.glob("build*/**/outside_probe"))
    if not builds:
        raise FileNotFoundError("outside_probe is not built; build it or set PYROMETER_OUTSIDE_PROBE")
    return str(max(builds, key=os.path.getmtime))


@contextlib.contextmanager
def running_target(python):
    """The process, and the truth that it tells."""
    command = [*python.command, "-X", "utf8", str(TARGET)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            line = process.stdout.readline()
            assert line, process.stderr.read().decode()[-2000:]
            yield process, json.loads(line)
        finally:
            process.kill()
            process.stdin.close()


def start_probe(truth, capture, seconds):
    request = {key: truth[key] for key in ("pid", "version", "runtime", "types")}
    probe = subprocess.Popen([outside_probe(), str(capture), str(seconds)], stdin=subprocess.PIPE)
    probe.stdin.write(json.dumps(request).encode())
    probe.stdin.close()
    return probe


def report_of(capture, folder):
    json_file = folder / "report.json"
    done = pyrometer("report", capture, "--json", json_file)
    assert done.returncode == 0, done.stderr
    return read_report(json_file)


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_a_python_without_an_agent_tells_its_waits_tasks_and_names(python, tmp_path):
    with running_target(python) as (_, truth):
        assert "libpyrometer" not in Path(f"/proc/{truth['pid']}/maps").read_text()
        assert start_probe(truth, tmp_path / "outside.pyro", SECONDS).wait() == 0
    report = report_of(tmp_path / "outside.pyro", tmp_path)
    process = report.process
    least = MOST * process.elapsed - report.unpolled

    assert process.interpreter.startswith("CPython " + ".".join(map(str, python.version)))
    for name, activity in {"sleep": "sleep", "lock": "lock_wait", "io": "io_wait"}.items():
        waited = process.lines(TARGET, {truth["lines"][name]}, kind="self")
        assert waited.activities() == [activity]
        assert waited.seconds() >= least
    assert process.totals.samples("python", "native", "kernel") == 0

    names = {thread["name"] for thread in process.data["threads"]}
    assert {"MainThread", "sleep", "lock", "io", "loop", "short_threads"} <= names
    assert [name for name in names if name.startswith("short-")]

    [nap] = [entry for entry in report.data["awaits"] if entry["place"]["line"] == truth["lines"]["nap"]]
    assert nap["await"]["suspended_seconds"] >= least


@pytest.mark.parametrize("python", PYTHONS[-1:], ids=lambda python: python.name)
def test_a_process_that_ends_meanwhile_is_recorded_up_to_then(python, tmp_path):
    with running_target(python) as (process, truth):
        probe = start_probe(truth, tmp_path / "outside.pyro", 60)
        time.sleep(SECONDS)
        process.kill()
        assert probe.wait() == 0
    recorded = report_of(tmp_path / "outside.pyro", tmp_path).process
    assert recorded.elapsed < 60
    assert recorded.lines(TARGET, {truth["lines"]["sleep"]}, kind="self").seconds("sleep") > 0
