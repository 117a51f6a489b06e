# SPDX-License-Identifier: Apache-2.0
"""The runner of ./test: what it says while stages run, which of them share the machine, what counts as failed."""

import importlib.util
import io
import os
import pathlib
import pty
import re
import threading

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def runner(monkeypatch):
    spec = importlib.util.spec_from_file_location("stage_runner", ROOT / "tools" / "stage_runner.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "HEARTBEAT_SECONDS", 0.5)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.02)
    return module


class Run:
    """Stages of shell commands, and all that was said about them."""

    def __init__(self, runner, folder):
        self.runner, self.folder, self.stages = runner, folder, []

    def add(self, name, command, slots=1, counts=None):
        passed, failed = self.runner.Counts(passed=3), self.runner.Counts(failed=1)
        count = (lambda code: counts) if counts else (lambda code: failed if code else passed)
        log = self.folder / f"{name}.log"
        self.stages.append(self.runner.Stage(name, ["sh", "-c", command], count, log, slots=slots))

    def run(self, silence_limit_seconds=60, out=None):
        out = out or io.StringIO()
        total = self.runner.run(self.stages, self.folder, silence_limit_seconds, self.runner.Console(out))
        return total, out.getvalue() if isinstance(out, io.StringIO) else ""


@pytest.fixture
def stages(runner, tmp_path):
    return Run(runner, tmp_path)


def test_a_stage_is_announced_and_summed_up(stages):
    stages.add("quick", "echo noise")
    total, text = stages.run()
    first, last = text.splitlines()
    assert first.split() == ["quick", "started"]
    assert re.fullmatch(r"  quick +3 passed, 0 failed, 0 skipped +\d+\.\d s", last)
    assert str(total) == "3 passed, 0 failed, 0 skipped"


def test_a_long_stage_says_how_far_it_is(stages):
    stages.add("long", "echo first step; sleep 1.2; echo second step; sleep 1.2")
    _, text = stages.run()
    beats = [line for line in text.splitlines() if "running" in line]
    assert len(beats) >= 2 and all(re.match(r"  long +running, \d+ s: ", line) for line in beats)
    assert beats[0].endswith("first step") and beats[-1].endswith("second step")


def _read(terminal):
    """The next piece of what was written; empty when the other side is closed."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def test_a_terminal_has_one_line_that_lives(stages, tmp_path):
    ours, theirs = pty.openpty()
    stages.add("one", "sleep 0.3")
    stages.add("two", "sleep 0.3")
    said = []
    # A terminal that nobody reads is full after a while.
    reader = threading.Thread(target=lambda: said.extend(iter(lambda: _read(ours), b"")))
    reader.start()
    with os.fdopen(theirs, "w") as out:
        stages.run(out=out)
    reader.join()
    os.close(ours)
    text = b"".join(said).decode()
    assert "started" not in text
    assert re.search(r"\r\x1b\[K  running: one \d+ s, two \d+ s", text)
    assert len([line for line in text.split("\n") if "3 passed" in line]) == 2


def test_stages_share_the_machine_unless_one_wants_it_all(stages, tmp_path):
    # Each of the two waits for the other; the third writes down who is there beside it.
    for name, other in (("a", "b"), ("b", "a")):
        stages.add(name, f"touch {name}.on; until [ -e {other}.on ]; do sleep 0.05; done; sleep 0.5; rm -f a.on b.on")
    stages.add("whole", "ls *.on >beside; touch whole.on; sleep 0.5; rm whole.on", slots=stages.runner.SLOTS)
    stages.add("last", "ls *.on >>beside")
    stages.run(silence_limit_seconds=30)
    assert [stage.stopped for stage in stages.stages] == [False] * 4
    assert (tmp_path / "beside").read_text() == ""


def test_a_failed_stage_shows_its_log_and_counts(stages):
    stages.add("bad", "echo planted; exit 3")
    stages.add("good", "true")
    total, text = stages.run()
    assert "    planted" in text.splitlines()
    assert str(total) == "3 passed, 1 failed, 0 skipped"


def test_a_process_that_fails_after_its_tests_have_passed_counts(stages, runner):
    stages.add("leaks", "exit 1", counts=runner.Counts(passed=7))
    assert str(stages.run()[0]) == "7 passed, 1 failed, 0 skipped"


def test_a_stage_that_says_nothing_any_more_is_stopped(stages, runner):
    stages.add("stuck", "echo last words; sleep 600", counts=runner.Counts(passed=1))
    total, text = stages.run(silence_limit_seconds=0.5)
    assert str(total) == "1 passed, 1 failed, 0 skipped"
    assert "last words" in text and "it had said nothing for" in text


def test_a_slow_stage_that_goes_on_is_not_stopped(stages):
    stages.add("slow", "for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.4; done")
    assert str(stages.run(silence_limit_seconds=3)[0]) == "3 passed, 0 failed, 0 skipped"


def test_what_only_prepares_counts_nothing(stages, runner):
    stages.add("setup", "exit 1", counts=runner.Counts())
    total, text = stages.run()
    assert total.total == 0
    assert re.search(r"  setup +done +\d", text)
