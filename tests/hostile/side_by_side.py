# SPDX-License-Identifier: Apache-2.0
"""Runs one of programs/ bare and under pyrometer, at the same time, and tells what an observer can see of each run."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pythons
from pyrometer_tool import tool

PROGRAMS = Path(__file__).resolve().parent / "programs"
TIMEOUT_SECONDS = 60
STATIC_SOURCE = """#include <stdio.h>
int main(int count, char** words) { printf("static %d %s\\n", count, words[count - 1]); return count; }
"""


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
        _static_program()  # made once, before both sides ask for it
        under = [tool(), "run", "-o", str(capture), *options, python.path]
        with ThreadPoolExecutor(2) as pool:
            # Folders with names of one length: wrapped and padded texts stay the same.
            sides = [
                pool.submit(_observe, [python.path], program, python, Path(top, "b")),
                pool.submit(_observe, under, program, python, Path(top, "p")),
            ]
            bare, profiled = (side.result() for side in sides)
        assert capture.exists() and capture.stat().st_size > 0, profiled
        return bare, profiled


def _observe(command, program, python, folder):
    folder.mkdir()
    environment = {
        **os.environ,
        "TMPDIR": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOSTILE_OTHER_PYTHON": _other(python),
        "HOSTILE_STATIC_PROGRAM": _static_program(),
    }
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


@functools.lru_cache(maxsize=None)
def _static_program():
    """A program without dynamic loader, "" on machines that cannot make one."""
    compiler = shutil.which("cc")
    if not compiler:
        return ""
    folder = tempfile.mkdtemp(prefix="hostile-static-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "static")
    made = subprocess.run(
        [compiler, "-static", "-x", "c", "-o", path, "-"], input=STATIC_SOURCE.encode(), stderr=subprocess.DEVNULL
    )
    return path if made.returncode == 0 else ""
