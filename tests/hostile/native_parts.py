# SPDX-License-Identifier: Apache-2.0
"""What programs/ need beside Python: made with the C compiler, or found. "" where the machine has neither."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import shared_libraries

HERE = Path(__file__).resolve().parent
STATIC_SOURCE = """#include <stdio.h>
int main(int count, char** words) { printf("static %d %s\\n", count, words[count - 1]); return count; }
"""


@functools.lru_cache(maxsize=None)
def static_program():
    """A program without dynamic loader."""
    return _compiled("static", STATIC_SOURCE, "-static")


@functools.lru_cache(maxsize=None)
def allocation_calls():
    """The library of allocation_calls.c."""
    source = (HERE / "allocation_calls.c").read_text()
    return _compiled("allocation_calls.so", source, "-O2", "-shared", "-fPIC", "-pthread")


@functools.lru_cache(maxsize=None)
def jemalloc():
    """$HOSTILE_JEMALLOC, or what the loader knows by that name."""
    return os.environ.get("HOSTILE_JEMALLOC") or shared_libraries.find("libjemalloc.so.2")


def _compiled(name, source, *options):
    compiler = shutil.which("cc")
    if not compiler:
        return ""
    folder = tempfile.mkdtemp(prefix="hostile-native-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, name)
    made = subprocess.run(
        [compiler, *options, "-x", "c", "-o", path, "-"], input=source.encode(), stderr=subprocess.DEVNULL
    )
    return path if made.returncode == 0 else ""
