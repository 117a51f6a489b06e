# SPDX-License-Identifier: Apache-2.0
"""Finds the CPython interpreters that the tests can run.

Sources, in this order: pyenv versions, python3 and python3.X on PATH, and what
tools/fetch_pythons put into its cache ($PYROMETER_PYTHONS, else
~/.cache/pyrometer/pythons). One interpreter per (version, free-threaded).
"""

import functools
import glob
import os
import shutil
import subprocess
from dataclasses import dataclass

SUPPORTED = ((3, 8), (3, 15))

_ASK = (
    "import sys,sysconfig;print(sys.implementation.name,sys.hexversion,*sys.version_info[:3],"
    "int(bool(sysconfig.get_config_var('Py_GIL_DISABLED'))),sysconfig.get_paths()['include'])"
)


@dataclass(frozen=True)
class Interpreter:
    """One CPython. `command` starts it; arguments may be appended."""

    path: str  # the executable as seen from outside its root
    version: tuple  # (major, minor, micro)
    hexversion: int
    free_threaded: bool
    include: str  # folder of Python.h; need not exist
    command: tuple
    root: str = ""  # of a chroot, "" = runs on the host

    @property
    def minor(self):
        return self.version[1]

    @property
    def name(self):
        return ".".join(map(str, self.version)) + ("t" if self.free_threaded else "")

    @property
    def has_headers(self):
        return os.path.exists(os.path.join(self.include, "internal", "pycore_pystate.h"))

    def inside(self, path):
        """How a host path below `root` is called inside the chroot."""
        return "/" + os.path.relpath(path, self.root) if self.root else path


def pyenv_root():
    return os.environ.get("PYENV_ROOT") or os.path.join(os.path.expanduser("~"), ".pyenv")


def cache_dir():
    return os.environ.get("PYROMETER_PYTHONS") or os.path.expanduser("~/.cache/pyrometer/pythons")


def _ask(path, command, root=""):
    try:
        done = subprocess.run(
            [*command, "-I", "-c", _ASK], capture_output=True, text=True, timeout=600, check=True
        )
        name, hexversion, major, minor, micro, gil_off, include = done.stdout.strip().split(" ", 6)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    version = (int(major), int(minor), int(micro))
    if name != "cpython" or not SUPPORTED[0] <= version[:2] <= SUPPORTED[1]:
        return None
    if root:
        include = os.path.join(root, include.lstrip("/"))
    return Interpreter(path, version, int(hexversion), gil_off == "1", include, command, root)


def _candidates():
    """(path, command, root) of everything that looks like an interpreter."""
    for path in sorted(glob.glob(os.path.join(pyenv_root(), "versions", "3.*", "bin", "python3"))):
        yield path, (path,), ""
    names = ["python3"] + [f"python3.{m}" for m in range(SUPPORTED[0][1], SUPPORTED[1][1] + 1)]
    folders = os.environ.get("PATH", "").split(os.pathsep) + ["/usr/bin"]
    for folder in dict.fromkeys(folders):
        for name in names:
            # Shims choose another interpreter depending on the current folder.
            path = None if "shims" in folder else shutil.which(name, path=folder)
            if path:
                yield os.path.realpath(path), (os.path.realpath(path),), ""
    cache = cache_dir()
    for path in sorted(glob.glob(os.path.join(cache, "*", "bin", "python3"))):
        yield path, (path,), ""
    for path in sorted(glob.glob(os.path.join(cache, "*", "usr", "bin", "python3.[0-9]*"))):
        root = os.path.join(cache, os.path.relpath(path, cache).split(os.sep)[0])
        half_made = root.endswith(".part")  # by fetch_pythons, right now
        if os.geteuid() == 0 and not half_made and not path.endswith("config"):
            inside = "/" + os.path.relpath(path, root)
            yield path, ("chroot", root, inside), root


@functools.lru_cache(maxsize=None)
def interpreters():
    """All supported interpreters of this machine, oldest first."""
    found = {}
    seen = set()
    for path, command, root in _candidates():
        if path in seen:
            continue
        seen.add(path)
        one = _ask(path, command, root)
        if one:
            found.setdefault((one.version, one.free_threaded), one)
    return tuple(found[key] for key in sorted(found))


def newest_of_each_minor():
    """One interpreter per (minor, free-threaded): what most test matrices want."""
    chosen = {}
    for one in interpreters():
        chosen[one.minor, one.free_threaded] = one
    return tuple(chosen.values())


if __name__ == "__main__":
    for interpreter in interpreters():
        print(interpreter.name, interpreter.path)
