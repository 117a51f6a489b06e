# SPDX-License-Identifier: Apache-2.0
"""Switching a recording on and off, from inside and outside, and looking at it while it goes on."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from burned import BURN, Burned
from judgement import SIGMAS
from pyrometer_tool import TESTS, expect_success, profile, pyrometer, tool
from report_json import ON_CPU, Report

PROGRAM = BURN + """
def first(): burn(0.4, "first")
def second(): burn(0.4, "second")
def wait_for(name):
    while not os.path.exists(os.path.join(sys.argv[1], name)):
        time.sleep(0.005)
def tell(name):
    open(os.path.join(sys.argv[1], name), "w").close()
"""
IN_STEPS = PROGRAM + "first()\ntell('first')\nwait_for('go')\nsecond()\ntell('second')\nwait_for('end')\n"
WHEN_RECORDED = IN_STEPS.replace("wait_for('go')", "import pyrometer\nwhile not pyrometer.is_recording(): time.sleep(0.005)")
PACKAGE = str(TESTS.parent / "python")
PATIENCE_SECONDS = 300


class Running:
    """A program under pyrometer that waits for us between its steps."""

    def __init__(self, folder, python, options, text=IN_STEPS):
        self.folder = folder
        self.script = folder / "program.py"
        self.script.write_text(text)
        self.capture = folder / "capture.pyro"
        words = [tool(), "run", "--no-report", "-o", self.capture, *options, "--python", python, self.script, folder]
        environment = {**os.environ, "BURNED": str(folder / "burned"), "PYTHONPATH": PACKAGE}
        self.launcher = subprocess.Popen(list(map(str, words)), env=environment)

    def child(self):
        path = Path(f"/proc/{self.launcher.pid}/task/{self.launcher.pid}/children")
        pids = [int(word) for word in path.read_text().split()]
        return next(pid for pid in pids if b"program.py" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0", 2)[1])

    def wait_for(self, name):
        wait_until(lambda: (self.folder / name).exists())

    def tell(self, name):
        (self.folder / name).touch()

    def finish(self):
        for name in ("go", "end"):
            self.tell(name)
        assert self.launcher.wait(timeout=PATIENCE_SECONDS) == 0
        return report_of(self.capture)

    def seconds(self, report, function):
        return report.process.function(self.script, function).seconds(*ON_CPU)

    def wrong(self, report, function):
        """What is wrong with the time of a function, which should be all that it measured itself."""
        cells = report.process.function(self.script, function)
        return Burned(self.folder / "burned").wrong(cells, report, function)

    def assert_whole(self, report, function):
        assert not self.wrong(report, function)


def wait_until(condition):
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def report_of(capture):
    done = pyrometer("report", "--json", "-", capture)
    assert done.returncode == 0, done.stderr
    return Report(json.loads(done.stdout))


@pytest.fixture
def running(tmp_path, one_python):
    started = []

    def start(*options, text=IN_STEPS):
        started.append(Running(tmp_path, one_python.path, options, text))
        return started[-1]

    yield start
    for run in started:
        run.launcher.kill()


def test_off_until_asked(running):
    run = running("--off")
    run.wait_for("first")
    time.sleep(0.1)
    assert pyrometer("control", run.child(), "start").returncode == 0
    run.tell("go")
    run.wait_for("second")
    assert pyrometer("control", run.launcher.pid, "pause").returncode == 0
    report = run.finish()
    assert run.seconds(report, "first") == 0
    run.assert_whole(report, "second")
    off = {fact["id"]: fact["value"] for fact in report.data["facts"]}["recording_off"]
    assert off > 1e9 * sum(Burned(run.folder / "burned").stretches(mark="first"))


def test_stop_is_final_and_the_program_goes_on(running):
    run = running()
    run.wait_for("first")
    assert pyrometer("control", run.child(), "stop").returncode == 0
    again = pyrometer("control", run.child(), "start")
    assert again.returncode == 2 and b"stopped for good" in again.stderr
    report = run.finish()
    run.assert_whole(report, "first")
    assert run.seconds(report, "second") == 0


def test_snapshot_of_a_running_program(running, tmp_path):
    run = running()
    run.wait_for("first")
    time.sleep(0.1)
    shot = tmp_path / "shot.pyro"
    done = pyrometer("control", run.child(), "snapshot", "-o", shot)
    assert (done.returncode, done.stdout.decode().strip()) == (0, str(shot))
    report = report_of(shot)
    run.assert_whole(report, "first")
    assert report.data["load"]["still_running"] and not report.data["load"]["orderly_end"]
    assert report.process.data["files"][0]["lines"][0]["source"] is not None
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    refused = pyrometer("control", run.child(), "snapshot", "-o", precious)
    assert refused.returncode == 2 and precious.read_text() == "mine"
    run.assert_whole(run.finish(), "second")


def test_every_keeps_the_output_up_to_date(running):
    run = running("--every", "0.2")
    run.wait_for("first")
    wait_until(run.capture.exists)
    wait_until(lambda: not run.wrong(report_of(run.capture), "first"))
    run.assert_whole(run.finish(), "second")


def test_a_signal_switches(running):
    run = running("--off", "--signal", "USR2", text=WHEN_RECORDED)
    run.wait_for("first")
    os.kill(run.launcher.pid, signal.SIGUSR2)
    run.wait_for("second")
    report = run.finish()
    assert run.seconds(report, "first") == 0
    run.assert_whole(report, "second")


def test_the_program_switches_itself(tmp_path, python, burned):
    script = tmp_path / "program.py"
    script.write_text(
        PROGRAM + "import pyrometer\n"
        "print(pyrometer.is_recording())\n"
        "first()\n"
        "pyrometer.start()\n"
        "print(pyrometer.is_recording())\n"
        "second()\n"
        "pyrometer.stop()\n"
        "pyrometer.start()\n"
        "print(pyrometer.is_recording())\n"
        "burn(0.2)\n"
    )
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    profiled = expect_success(profile(script, python.path, ["--off"], env=environment))
    assert profiled.process.stdout.split() == [b"False", b"True", b"False"]
    process = profiled.report.process
    assert process.function(script, "first").seconds(*ON_CPU) == 0
    assert not burned().wrong(process.function(script, "second"), profiled.report, "second")
    assert not burned().wrong(process.totals, profiled.report, "second")
    bare = subprocess.run([python.path, script], env=environment, capture_output=True, check=True)
    assert bare.stdout.split() == [b"False"] * 3


@pytest.mark.parametrize("words", [["1", "start"], ["99999999", "snapshot"], ["x", "start"], ["1", "fly"], ["1"]])
def test_bad_requests(words):
    done = pyrometer("control", *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"pyrometer: ") and done.stderr.count(b"\n") == 1


def test_regions(tmp_path, python, burned):
    script = tmp_path / "program.py"
    script.write_text(
        PROGRAM + "import pyrometer, threading\n"
        "def work():\n"
        "    for _ in range(3):\n"
        "        with pyrometer.region('outer'):\n"
        "            with pyrometer.region('inner é'):\n"
        "                burn(0.05)\n"
        "            time.sleep(0.02)\n"
        "thread = threading.Thread(target=work)\n"
        "work()\n"
        "thread.start()\n"
        "thread.join()\n"
        "try:\n"
        "    with pyrometer.region('broken'): raise KeyError\n"
        "except KeyError: print('raised')\n"
    )
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    profiled = expect_success(profile(script, python.path, env=environment))
    assert profiled.process.stdout == b"raised\n"
    rows = {row["name"]: row for row in profiled.report.data["regions"]}
    assert set(rows) == {"outer", "inner é", "broken"}
    assert [rows[name]["count"] for name in ("outer", "inner é", "broken")] == [6, 6, 1]
    # Their time is that of the clock, from the beginning of each to its end; they are not sampled.
    truth = sum(burned().stretches())
    assert truth <= rows["inner é"]["cpu_seconds"] <= 1.05 * truth
    assert rows["outer"]["wall_seconds"] >= rows["inner é"]["wall_seconds"] + 0.12
    weight = burned().weight(profiled.report)
    assert rows["inner é"]["samples"] * weight == pytest.approx(truth, abs=SIGMAS * weight * len(burned().stretches()) ** 0.5)
    bare = subprocess.run([python.path, script], env=environment, capture_output=True, check=True)
    assert bare.stdout == b"raised\n"
