# SPDX-License-Identifier: Apache-2.0
"""Runs stages, beside each other where they allow it, and says all the time what is being done.

A stage is a child process with a log. On a terminal one line shows what runs; elsewhere each stage has a line when it
begins, one now and then while it runs, and one with its counts and seconds when it has ended.
"""

import collections
import dataclasses
import os
import signal
import subprocess
import time

SLOTS = 3  # that stages share; one more than CPUs, because each waits now and then
HEARTBEAT_SECONDS = 30
CHECK_SKIPPED = 77
SHOWN_LOG_LINES = 150
SHOWN_COLUMNS = 60
POLL_SECONDS = 0.1


@dataclasses.dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
        )

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    @property
    def total(self):
        return self.passed + self.failed + self.skipped


class Stage:
    """One child process. `count` turns its exit code into Counts; `slots` is how much of the machine it wants."""

    def __init__(self, name, command, count, log, environment=None, slots=1):
        self.name = name
        self.command = [str(part) for part in command]
        self.count = count
        self.log = log
        self.environment = environment or {}
        self.slots = slots

    def start(self, folder):
        self._begun = time.monotonic()
        self.stopped = False
        with open(self.log, "wb") as log:
            self._child = subprocess.Popen(
                self.command,
                cwd=folder,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def seconds(self):
        return time.monotonic() - self._begun

    @property
    def silent_seconds(self):
        """How long the log has not grown."""
        return min(self.seconds, time.time() - self.log.stat().st_mtime)

    def has_ended(self):
        return self._child.poll() is not None

    def stop(self):
        if not self.has_ended():
            self.stopped = True
            os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()

    def result(self):
        """Sets `counts`, and `reason`: why it was skipped, if it was."""
        code = self._child.returncode
        counts = self.count(code)
        self.reason = self.last_line() if code == CHECK_SKIPPED else ""
        # Every case passed and the process still failed: a leak, a crash at its end.
        if self.stopped or (code not in (0, CHECK_SKIPPED) and counts.failed == 0 and counts.total > 0):
            counts.failed += 1
        self.counts = counts
        return counts

    def last_line(self):
        """What it has said last, for someone who waits."""
        with open(self.log, "rb") as log:
            log.seek(max(0, self.log.stat().st_size - 4096))
            lines = log.read().decode(errors="replace").split("\n")
        said = [line for line in map(_plain, lines) if line]
        return said[-1][-SHOWN_COLUMNS:] if said else ""

    def log_tail(self):
        lines = self.log.read_text(errors="replace").splitlines()
        yield from lines[-SHOWN_LOG_LINES:]
        if self.stopped:
            yield f"(stopped: it had said nothing for {self.silent_seconds:.0f} s)"
        if len(lines) > SHOWN_LOG_LINES:
            yield f"(all of it: {self.log})"


def _plain(line):
    return "".join(c if c.isprintable() else " " for c in line).strip()


class Console:
    """Where the runner says what it does."""

    def __init__(self, out):
        self._out = out
        self._terminal = out.isatty()
        self._beats = {}

    def begun(self, stage):
        self._beats[stage.name] = 0
        if not self._terminal:
            self.line(f"  {stage.name:<21}started")

    def running(self, stages):
        if self._terminal and stages:
            text = ", ".join(f"{stage.name} {stage.seconds:.0f} s" for stage in stages)
            self._write(f"\r\033[K  running: {text}")
            return
        for stage in stages:
            beat = int(stage.seconds / HEARTBEAT_SECONDS)
            if beat > self._beats[stage.name]:
                self._beats[stage.name] = beat
                self.line(f"  {stage.name:<21}running, {stage.seconds:.0f} s: {stage.last_line()}")

    def ended(self, stage, counts, seconds):
        said = counts if counts.total else "done"
        self.line(f"  {stage.name:<21}{said!s:<42}{seconds:7.1f} s{f'  {stage.reason}' if stage.reason else ''}")
        if counts.failed:
            for line in stage.log_tail():
                self.line("    " + line)

    def line(self, text):
        self._write(("\r\033[K" if self._terminal else "") + text + "\n")

    def _write(self, text):
        self._out.write(text)
        self._out.flush()


def run(stages, folder, silence_limit_seconds, console):
    """The Counts of all. A stage that says nothing for too long is stopped, and has failed."""
    waiting, running, total = collections.deque(stages), [], Counts()
    try:
        while waiting or running:
            _start_what_fits(waiting, running, folder, console)
            time.sleep(POLL_SECONDS)
            for stage in [stage for stage in running if not stage.has_ended()]:
                if stage.silent_seconds > silence_limit_seconds:
                    stage.stop()
            for stage in [stage for stage in running if stage.has_ended()]:
                running.remove(stage)
                seconds, counts = stage.seconds, stage.result()
                console.ended(stage, counts, seconds)
                total += counts
            console.running(running)
    finally:
        for stage in running:
            stage.stop()
    return total


def _start_what_fits(waiting, running, folder, console):
    """In order: nobody is overtaken, or who wants the whole machine would wait for ever."""
    while waiting and sum(stage.slots for stage in running) + waiting[0].slots <= SLOTS:
        stage = waiting.popleft()
        stage.start(folder)
        running.append(stage)
        console.begun(stage)
