# SPDX-License-Identifier: Apache-2.0
"""The Python interpreters that a test matrix runs on."""

import atexit
import functools
import glob
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from interpreters import interpreters

MAIN_VERSIONS = ((3, 12), (3, 8))


class Python(NamedTuple):
    path: str
    version: tuple
    name: str

    def __str__(self):
        return self.name


def found():
    """The interpreters that start as a plain command on this machine, oldest first."""
    return [
        Python(interpreter.path, interpreter.version[:2], interpreter.name)
        for interpreter in interpreters()
        if not interpreter.root
    ]


@functools.lru_cache(maxsize=None)
def foreign():
    """Interpreters of another root, started on this one by their own loader.

    Good for programs that start no other Python: sys.executable is not theirs.
    """
    folder = Path(tempfile.mkdtemp(prefix="pyrometer-pythons-"))
    atexit.register(shutil.rmtree, folder)
    folder.chmod(0o755)
    return [_wrapper(folder, interpreter) for interpreter in interpreters() if interpreter.root]


def _wrapper(folder, interpreter):
    (loader,) = glob.glob(os.path.join(interpreter.root, "usr/lib/*/ld-linux-*.so.*"))
    home = os.path.join(interpreter.root, "usr")
    start = [loader, "--library-path", os.path.dirname(loader), interpreter.path]
    path = folder / f"python-{interpreter.name}"
    path.write_text(f'#!/bin/sh\nPYTHONHOME={shlex.quote(home)} exec {shlex.join(start)} "$@"\n')
    path.chmod(0o755)
    return Python(str(path), interpreter.version[:2], interpreter.name)


def split():
    """(those that run everything, the others): an old and a recent version do the whole work."""
    pythons = found()
    with_gil = [python for python in pythons if not python.name.endswith("t")]
    if not with_gil:
        raise RuntimeError("there is no CPython with a GIL to test with: tests/interpreters.py says where they are looked for")
    newest_of = {python.version: python for python in with_gil}
    main = [newest_of[version] for version in MAIN_VERSIONS if version in newest_of] or [with_gil[-1]]
    return main, [python for python in pythons + foreign() if python not in main]


def usable_by(launcher, pythons):
    """The first interpreter that starts under `launcher`, newest first; None without any."""
    for python in reversed(pythons):
        command = [*launcher, python.path, "-c", "pass"]
        if subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


def launcher(*options):
    """A command prefix that drops rights: see restricted.py."""
    from pyrometer_tool import TESTS

    return [sys.executable, str(TESTS / "restricted.py"), *options]
