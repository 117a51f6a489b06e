# SPDX-License-Identifier: Apache-2.0
"""Runs one of programs/ bare and under pyrometer, at the same time, and tells what an observer can see of each run."""

import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
import pythons
from native_parts import allocation_calls, jemalloc, static_program
from pyrometer_tool import tool

PROGRAMS = Path(__file__).resolve().parent / "programs"
TIMEOUT_SECONDS = 300  # for what is stuck: a busy machine only takes longer
# What programs may ask for, by the variable that has its path; "" where the machine has none.
PARTS = {
    "HOSTILE_STATIC_PROGRAM": static_program,
    "HOSTILE_ALLOCATION_CALLS": allocation_calls,
    "HOSTILE_JEMALLOC": jemalloc,
}


class Seen(NamedTuple):
    """All that a run leaves behind. Equality of two of these is the whole test."""

    status: object  # exit code, negative for a signal, "timeout"
    stdout: list
    stderr: list
    files: dict


class Program:
    """A file of programs/ with the directives in its comments: see programs/README.md."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self._lines = path.read_text().splitlines()
        self.since = tuple(int(part) for part in self._directive("since", "3.8").split("."))
        self.short = self._directive("short", "yes") == "yes"
        self.needs = self._directive("needs", "")
        self.preload = self._directive("preload", "")

    def words(self):
        return [word.format(file=self.path, folder=PROGRAMS) for word in self._directive("run", "{file}").split()]

    def stdin(self):
        text = self._directive("stdin", "")
        return self.path.read_bytes() if text == "{file}" else text.encode().decode("unicode_escape").encode()

    def _directive(self, name, default):
        start = f"# {name}: "
        return next((line[len(start) :] for line in self._lines if line.startswith(start)), default)


def programs():
    return [Program(path) for path in sorted(PROGRAMS.glob("*.py"))]


def both(program, python, options=("--no-report",)):
    """(bare, profiled) of one program. The capture of the profiled run must exist."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as top:
        capture = Path(top, "capture.pyro")
        parts = {name: part() for name, part in PARTS.items()}
        if program.needs and not parts[program.needs]:
            pytest.skip(f"{program.needs}: not on this machine")
        under = [tool(), "run", "-o", str(capture), *options, python.path]
        with ThreadPoolExecutor(2) as pool:
            # Folders with names of one length: wrapped and padded texts stay the same.
            sides = [
                pool.submit(_observe, [python.path], program, python, parts, Path(top, "b")),
                pool.submit(_observe, under, program, python, parts, Path(top, "p")),
            ]
            bare, profiled = (side.result() for side in sides)
        assert capture.exists() and capture.stat().st_size > 0, profiled
        return bare, profiled


def _observe(command, program, python, parts, folder):
    folder.mkdir()
    environment = {
        **os.environ,
        "TMPDIR": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOSTILE_OTHER_PYTHON": _other(python),
        **parts,
    }
    if program.preload:
        environment["LD_PRELOAD"] = parts[program.preload]
    process = subprocess.Popen(
        command + program.words(),
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        stdout, stderr = process.communicate(program.stdin(), timeout=TIMEOUT_SECONDS)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            stdout, stderr = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            stdout, stderr = b"", b""
        status = "timeout"
    here = str(folder).encode()
    stdout, stderr = (text.replace(here, b"HERE").splitlines() for text in (stdout, stderr))
    return Seen(status, stdout, stderr, _tree(folder))


def _tree(folder):
    """Name -> (mode, content) of everything below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes().replace(str(folder).encode(), b"HERE") if path.is_file() else None
        found[str(path.relative_to(folder))] = (oct(status.st_mode), content)
    return found


def _other(python):
    """A Python of another version, for programs that start one."""
    return next((one.path for one in pythons.split()[0] if one.version != python.version), python.path)
