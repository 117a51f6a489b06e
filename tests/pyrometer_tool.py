# SPDX-License-Identifier: Apache-2.0
"""Runs the built pyrometer for tests, and the same command bare."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Optional

from report_json import Report

TESTS = Path(__file__).resolve().parent
TARGETS = TESTS / "targets"
TIMEOUT_SECONDS = 600  # for what is stuck: a busy machine only takes longer


class Profiled(NamedTuple):
    process: subprocess.CompletedProcess
    report: Optional[Report]


def tool():
    """Path of the pyrometer under test: $PYROMETER, or the release build of this tree."""
    path = Path(os.environ.get("PYROMETER") or TESTS.parent / "build/release/bin/pyrometer")
    if not path.exists():
        raise FileNotFoundError(f"{path} is not built: run ./pyrometer --version, or set PYROMETER")
    return str(path.absolute())


def pyrometer(*args, **options):
    """Runs `pyrometer ARGS`; output is captured as bytes unless `options` say otherwise."""
    return _run([tool(), *map(str, args)], options)


def bare(script, python=sys.executable, **options):
    """Runs the program of `profile` without pyrometer."""
    return _run([str(python), *_words(script)], options)


def profile(script, python=sys.executable, options=(), launcher=(), capture=None, **run_options):
    """Profiles `script` (a path, or a list of interpreter arguments) with its report as JSON.

    `launcher` is a command that starts pyrometer, `capture` keeps the .pyro file at that path.
    The report is None when pyrometer wrote none.
    """
    with tempfile.TemporaryDirectory(prefix="pyrometer-test-") as folder:
        os.chmod(folder, 0o777)  # the launcher may become another user
        json_file = Path(folder, "report.json")
        command = [*launcher, tool(), "run", "--json", str(json_file), "--no-report"]
        command += ["-o", str(capture or Path(folder, "capture.pyro")), "--python", str(python), *map(str, options)]
        process = _run(command + _words(script), run_options)
        return Profiled(process, read_report(json_file))


def read_report(json_file):
    """The report in a file; None when pyrometer had nothing to write."""
    text = Path(json_file).read_text() if Path(json_file).exists() else ""
    return Report(json.loads(text)) if text else None


def expect_success(profiled):
    """The profiled run, which must have ended well and left a report."""
    process = profiled.process
    assert process.returncode == 0, (process.returncode, process.stderr[-2000:])
    expect_report(profiled)
    return profiled


def expect_report(profiled):
    """The report, which must be there however the program ended."""
    assert profiled.report is not None and profiled.report.processes, profiled.process.stderr[-2000:]
    return profiled.report


def stacks(capture):
    """Distinct stacks of a capture as (count, [frame, ...]) with the root first."""
    text = pyrometer("report", capture, "--format", "stacks")
    assert text.returncode == 0, text.stderr
    rows = (line.split("\t", 1) for line in text.stdout.decode().splitlines())
    return [(int(count), frames.split(";")) for count, frames in rows]


def marks(path):
    """Line numbers of each `# mark: name` in a source file."""
    found = {}
    for number, line in enumerate(Path(path).read_text().splitlines(), start=1):
        if "# mark: " in line:
            found.setdefault(line.rsplit("# mark: ", 1)[1].strip(), set()).add(number)
    return found


def _words(script):
    return [str(script)] if isinstance(script, (str, Path)) else [str(word) for word in script]


def _run(command, options):
    options = {"stdin": subprocess.DEVNULL, "timeout": TIMEOUT_SECONDS, **options}
    if "input" in options:
        del options["stdin"]
    if "stdout" not in options and "stderr" not in options:
        options["capture_output"] = True
    return subprocess.run(command, **options)
