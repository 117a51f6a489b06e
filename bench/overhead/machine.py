# SPDX-License-Identifier: Apache-2.0
"""Where things are: the tree, the tool, the interpreter and its pyperformance."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
BUILD = TREE / "build" / "bench"
PREFERRED = "3.12"


def tool():
    path = Path(os.environ.get("PYROMETER") or TREE / "build/release/bin/pyrometer")
    if not path.exists():
        sys.exit(f"{path} is not built: run ./pyrometer --version, or set PYROMETER")
    return str(path)


def choose_python(given):
    """The interpreter to measure with: the given one, or the preferred version if the tests find it."""
    if given:
        path = shutil.which(given)
        return path or sys.exit(f"no such Python: {given}")
    sys.path.insert(0, str(TREE / "tests"))
    from interpreters import interpreters

    fitting = [one.path for one in interpreters() if one.name.startswith(PREFERRED + ".") and not one.root]
    return fitting[-1] if fitting else sys.executable


def prepare(python):
    """(interpreter with everything installed, folder of the benchmarks); made once for each version."""

    def fill(inside):
        # The sympy that pyperformance asks for imports distutils, which only setuptools has since 3.12.
        _pip(inside, "pyperformance", "setuptools")
        for name in ("docutils", "sympy"):
            _pip(inside, "-r", _benchmarks(inside) / f"bm_{name}" / "requirements.txt")

    inside = _environment(python, "venv", "pyperformance", fill)
    return str(inside), str(_benchmarks(inside))


def prepare_packages(python, requirements):
    """An interpreter with the packages that a file names; made once for each version."""
    return str(_environment(python, requirements.parent.name, requirements.name, lambda inside: _pip(inside, "-r", requirements)))


def _environment(python, name, what, fill):
    version = subprocess.run(
        [python, "-c", "import platform; print(platform.python_version())"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout.strip()
    folder = BUILD / f"{name}-{version}"
    inside, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        print(f"installing {what} for Python {version} into {folder}", file=sys.stderr)
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        fill(inside)
        ready.touch()
    return inside


def _pip(python, *args):
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *args]
    subprocess.run(command, check=True, stdout=sys.stderr)


def _benchmarks(python):
    code = "import os, pyperformance; print(os.path.dirname(pyperformance.__file__))"
    done = subprocess.run([python, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    return Path(done.stdout.strip()) / "data-files" / "benchmarks"


def description():
    uname = os.uname()
    return f"{uname.sysname} {uname.release} {uname.machine}, {os.cpu_count()} CPUs"
