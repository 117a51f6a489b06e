# SPDX-License-Identifier: Apache-2.0
"""What is recorded of memory, and where the report shows it."""

import os
import shutil
import subprocess

import pytest
import shared_libraries
from pyrometer_tool import TARGETS, expect_success, marks, profile, pyrometer

SCRIPT = TARGETS / "memory_report.py"
MIB = 1 << 20
# An allocator of the program's own: the C library's under other names.
ALLOCATOR = """
#include <stddef.h>
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void __libc_free(void *);
void *malloc(size_t n) { return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return __libc_realloc(p, n); }
void free(void *p) { __libc_free(p); }
"""


def printed(tmp_path, python, *options, **environment):
    """(report as text, as JSON)"""
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "160", **environment}
    done = expect_success(profile([SCRIPT], python.path, [*options], capture=tmp_path / "x.pyro"))
    text = pyrometer("report", tmp_path / "x.pyro", env=env)
    assert (text.returncode, text.stderr) == (0, b"")
    return text.stdout.decode(), done.report


def row_of(text, mark):
    return next(line for line in text.splitlines() if f"# mark: {mark}" in line)


def test_both_by_default(tmp_path, python):
    text, report = printed(tmp_path, python)
    at = marks(SCRIPT)
    held = report.process.memory(SCRIPT, at["held"])
    assert held.bytes("live_at_peak") == pytest.approx(64 * MIB, rel=0.01)
    assert held.bytes("live_at_exit") == pytest.approx(64 * MIB, rel=0.01)
    assert "67" in row_of(text, "held").split()
    assert "CPU s" in text and "peak MB" in text and "resident (RSS)" in text and "Most memory" in text
    assert report.process.totals.samples("python", "native", "kernel") > 0


def test_cpu_only(tmp_path, one_python):
    text, report = printed(tmp_path, one_python, "--cpu-only")
    assert "CPU s" in text and "MB" not in text
    assert report.process.data["memory"] is None
    assert report.process.totals.samples("python", "native", "kernel") > 0


def test_memory_only(tmp_path, one_python):
    text, report = printed(tmp_path, one_python, "--memory-only")
    assert "CPU s" not in text and "peak MB" in text
    assert report.process.totals.activities() == []
    held = report.process.memory(SCRIPT, marks(SCRIPT)["held"])
    assert held.bytes("live_at_peak") == pytest.approx(64 * MIB, rel=0.01)


def test_nothing_is_recorded_while_off(tmp_path, one_python):
    _, report = printed(tmp_path, one_python, "--off")
    assert report.process.memory(SCRIPT, marks(SCRIPT)["held"]).bytes("allocated") == 0


def test_an_allocator_of_the_program_is_named(tmp_path, one_python):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler")
    library = tmp_path / "libown_malloc.so"
    made = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library]
    subprocess.run(made, input=ALLOCATOR.encode(), check=True)
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "240", "LD_PRELOAD": str(library)}
    done = pyrometer("run", "--python", one_python.path, SCRIPT, env=env)
    assert done.returncode == 0
    assert f"malloc is served by {library}" in done.stderr.decode()


@pytest.mark.parametrize("name", ["libjemalloc.so.2", "libtcmalloc_minimal.so.4", "libmimalloc.so.2"])
def test_real_allocators_serve_the_program(one_python, name):
    """Some of them define what we call the C library's own functions by, too; all take their memory from mmap."""
    library = shared_libraries.find(name)
    if not library:
        pytest.skip(f"no {name}")
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "240", "LD_PRELOAD": library}
    done = expect_success(profile([SCRIPT], one_python.path, env=env))
    served = [fact["text"] for fact in done.report.data["facts"] if fact["id"] == "malloc_library"]
    assert [os.path.realpath(path) for path in served] == [os.path.realpath(library)]
    held = done.report.process.memory(SCRIPT, marks(SCRIPT)["held"])
    assert held.bytes("live_at_peak") == pytest.approx(64 * MIB, rel=0.01)
    # What the allocator itself has mapped is not counted again.
    total = done.report.process.data["memory"]["totals"]["live_at_peak"]
    assert sum(kind["bytes"] for kind in total.values()) < 80 * MIB
