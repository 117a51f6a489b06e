# SPDX-License-Identifier: Apache-2.0
"""Virtual environments with the packages of tests/packages/requirements*.txt, made once in build/packages."""

import fcntl
import functools
import shutil
import subprocess
from pathlib import Path

import pytest
import pythons

TESTS = Path(__file__).resolve().parent
FOLDER = TESTS.parent / "build" / "packages"
REQUIREMENTS = TESTS / "packages" / "requirements.txt"
POOL_REQUIREMENTS = TESTS / "packages" / "requirements-pools.txt"
TORCH_REQUIREMENTS = TESTS / "packages" / "requirements-torch.txt"
# Before 3.9 there are no wheels of these versions; an old and a recent one do the daily work.
OLDEST, SHORT = (3, 9), ((3, 9), (3, 12))
INSTALL = "install -q --only-binary :all: --no-compile --disable-pip-version-check --no-input --retries 1".split()
INSTALL_SECONDS = 900


def candidates(long):
    """The interpreters on which the packages are tried."""
    newest = {python.version: python for python in pythons.found() if not python.name.endswith("t")}
    return [python for version, python in newest.items() if version >= OLDEST and (long or version in SHORT)]


def environment(python, requirements=REQUIREMENTS):
    """Path of the interpreter of the environment for `python`; skips the test where there is none."""
    made, trouble = _make(python.name, python.path, requirements)
    return made or pytest.skip(f"no packages for {python.name}: {trouble}")


@functools.lru_cache(maxsize=None)
def _make(name, path, requirements):
    """(interpreter, None), or (None, why not)."""
    folder = FOLDER / (name + requirements.stem[len(REQUIREMENTS.stem) :])
    inside = str(folder / "bin" / "python")
    stamp = folder / "made-of.txt"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == requirements.read_text():
            return inside, None
        shutil.rmtree(folder, ignore_errors=True)
        for command in ([path, "-m", "venv", folder], [inside, "-m", "pip", *INSTALL, "-r", requirements]):
            trouble = trouble_with(command)
            if trouble:
                return None, trouble
        shutil.copy(requirements, stamp)
        return inside, None


def package_folder(python, name):
    """A folder with one package that is too large for each environment; downloaded once."""
    folder = FOLDER / f"{name}-{python.name}"
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / name).exists():
            trouble = trouble_with([python.path, "-m", "pip", *INSTALL, "--target", folder, name])
            if trouble:
                pytest.skip(f"no {name} for {python.name}: {trouble}")
    return folder


def trouble_with(command):
    """The last line that a failing command says; None when it succeeds."""
    try:
        done = subprocess.run(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=INSTALL_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stdout.decode(errors="replace").strip() or "it failed").splitlines()[-1] if done.returncode else None


def main():
    """Makes those of the short run: ./test does so beside its first stages."""
    for python in candidates(long=False):
        print(f"packages for Python {python.name}")
        made, trouble = _make(python.name, python.path, REQUIREMENTS)
        print(made or f"none: {trouble}")


if __name__ == "__main__":
    main()
