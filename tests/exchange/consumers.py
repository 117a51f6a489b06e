# SPDX-License-Identifier: Apache-2.0
"""The programs that people open exports with, or whose files are imported: installed once, by name, in the user's cache.

Each function gives what a test needs to run one of them, or skips the test with the reason.
"""

import fcntl
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pyrometer" / "consumers"
PYTHON_PACKAGES = ["gprof2dot", "snakeviz", "opentelemetry-proto", "perfetto", "protobuf"]
# Those whose profiles are imported. Newer versions of austin need a newer libc.
PROFILERS = ["austin-dist<4", "memray", "py-spy", "pyinstrument", "scalene", "viztracer"]
NODE_PACKAGES = ["speedscope", "@firefox-devtools/profiler-cli"]
PPROF = "github.com/google/pprof@latest"
INSTALL_SECONDS = 900
NOT_ALLOWED = re.compile("permission|not permitted|not supported|paranoid", re.IGNORECASE)


def python():
    """An interpreter with PYTHON_PACKAGES."""
    return _given(_python(), "Python packages")


def sampler(name):
    """A program of PROFILERS."""
    return profilers().parent / name


def node_packages():
    """The folder with the modules of NODE_PACKAGES."""
    return _given(_node(), "packages of node")


def profilers():
    """An interpreter with PROFILERS, whose files are imported."""
    return _given(_profilers(), "other profilers")


def pprof(long):
    """Go's pprof, which takes minutes to build: only `long` runs do."""
    return _given(_pprof(long), "pprof")


def command(name):
    """A program of the system."""
    return shutil.which(name) or pytest.skip(f"no {name} on this machine")


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return pytest.skip("no chromium on this machine")


# py-spy, of a program that it has just started.
PY_SPY_TOO_EARLY = "Failed to get process executable name"


def run(*words, too_early=(), **options):
    """Runs a profiler whose file is to be imported. Skips the test where this machine does not let it look into programs.

    `too_early`: what it says now and then of a program that has hardly begun; it may then try again.
    """
    for _ in range(5):
        done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, **options)
        said = done.stderr + done.stdout
        if not any(trouble in said for trouble in (*too_early, PY_SPY_TOO_EARLY)):
            break
    if done.returncode != 0 and NOT_ALLOWED.search(said):
        pytest.skip(f"{words[0]}: {said.strip().splitlines()[-1]}")
    assert done.returncode == 0, said
    return done


def _given(made_or_trouble, what):
    made, trouble = made_or_trouble
    return made or pytest.skip(f"no {what}: {trouble}")


@functools.lru_cache(maxsize=None)
def _python():
    return _environment("python", PYTHON_PACKAGES, "python")


def _environment(name, packages, result):
    folder = FOLDER / name
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q", "--only-binary", ":all:", "--disable-pip-version-check"]
    return _make(folder, packages, folder / "bin" / result, [[sys.executable, "-m", "venv", folder], [*pip, *packages]])


@functools.lru_cache(maxsize=None)
def _node():
    folder = FOLDER / "node"
    npm = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", folder, *NODE_PACKAGES]
    return _make(folder, NODE_PACKAGES, folder / "node_modules", [npm])


@functools.lru_cache(maxsize=None)
def _profilers():
    return _environment("profilers", PROFILERS, "python")


@functools.lru_cache(maxsize=None)
def _pprof(long):
    folder = FOLDER / "pprof"
    if not (folder / "made-of.txt").exists() and not long:
        return None, "it is built with --long"
    return _make(folder, [PPROF], folder / "pprof", [["go", "install", PPROF]], {"GOBIN": str(folder)})


def _make(folder, packages, result, commands, environment=None):
    """(result, None), or (None, why not)."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    stamp = folder / "made-of.txt"
    with open(FOLDER / f"{folder.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text().split() == packages:
            return result, None
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for words in commands:
            trouble = _trouble(words, environment or {})
            if trouble:
                return None, trouble
        stamp.write_text("\n".join(packages) + "\n")
        return result, None


def _trouble(words, environment):
    """The last line that a failing command says; None when it succeeds."""
    try:
        done = subprocess.run(
            list(map(str, words)),
            cwd=FOLDER,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=INSTALL_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stdout.decode(errors="replace").strip() or "it failed").splitlines()[-1] if done.returncode else None


def main():
    """Installs those of the short run: ./test does so beside its first stages."""
    for name, make in (("Python packages", _python), ("other profilers", _profilers), ("packages of node", _node)):
        print(name)
        made, trouble = make()
        print(made or f"none: {trouble}")


if __name__ == "__main__":
    main()
