# SPDX-License-Identifier: Apache-2.0
"""Code that was generated at run time: JITs that name it, one that does not, and the interpreter's trampolines."""

import json
import os
import platform
from pathlib import Path

import pytest
import pythons
from judgement import Finding, wrong
from pyrometer_tool import TARGETS, bare, expect_success, marks, profile, stacks
from report_json import ON_CPU, Cells

VERSIONS = ((3, 8), (3, 12), (3, 13))

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="machine code of x86-64")


def newest(versions):
    by_version = {python.version: python for python in pythons.found() if not python.name.endswith("t")}
    return [by_version[version] for version in versions if version in by_version]


@pytest.mark.parametrize("jit_python", newest(VERSIONS), ids=str)
def test_jit_code_has_its_name_and_its_time(jit_python):
    script = TARGETS / "jit.py"
    profiled = expect_success(profile([script, 2], jit_python.path, ["--cpu-only"]))
    used = json.loads(profiled.process.stdout)
    process = profiled.report.process
    seen = {
        entry["name"]: Cells(entry["self"])
        for entry in process.data["native_functions"]
        if entry["module"] == "JIT code"
    }
    expected = {("<JIT code>" if name == "unnamed" else name): cpu for name, cpu in used.items()}
    assert set(seen) == set(expected)
    samples = sum(cells.samples(*ON_CPU) for cells in seen.values())
    findings = [
        Finding(name, cpu / sum(used.values()), seen[name].seconds(*ON_CPU) / total(seen), samples)
        for name, cpu in expected.items()
    ]
    line = process.lines(script, marks(script)["jit"]).seconds(*ON_CPU)
    findings.append(Finding("line", 1.0, line / sum(used.values()), samples))
    assert not wrong(findings), "\n".join(map(str, findings))
    assert profiled.report.has_whole_stacks


def total(seen):
    return sum(cells.seconds(*ON_CPU) for cells in seen.values())


def python_stacks(capture, script):
    """The stacks in the program's code, as functions; and the modules of the native frames in them."""
    paths, natives = set(), set()
    for _, frames in stacks(capture):
        own = tuple(frame.split(" (")[0] for frame in frames if str(script) in frame)
        if own:
            paths.add(own)
            natives.update(frame for frame in frames if "JIT code" in frame or "unknown" in frame)
    return paths, natives


def has_trampolines(python):
    code = "import os, sys; print(os.getpid(), sys.is_stack_trampoline_active())"
    pid, _, active = bare(["-X", "perf", "-c", code], python.path).stdout.decode().strip().partition(" ")
    forget_perf_map(pid)
    return active == "True"


def forget_perf_map(pid):
    """The interpreter leaves its file behind."""
    Path(f"/tmp/perf-{pid}.map").unlink(missing_ok=True)


@pytest.mark.parametrize("jit_python", newest(((3, 12), (3, 13))), ids=str)
def test_perf_trampolines_leave_no_trace(jit_python, tmp_path):
    script = TARGETS / "perf_trampolines.py"
    if not has_trampolines(jit_python):
        pytest.skip("this interpreter has no -X perf")
    capture = tmp_path / "capture.pyro"
    options = ["--cpu-only", "-r", "1000"]
    environment = {**os.environ, "PYTHONPERFSUPPORT": "1"}
    profiled = expect_success(profile([script, 1.5], jit_python.path, options, capture=capture, env=environment))
    forget_perf_map(profiled.report.process.pid)
    paths, natives = python_stacks(capture, script)
    deepest = ("<module>", "main", "middle", "middle.<locals>.<lambda>", "leaf")
    assert deepest in paths
    # No frame twice, none missing: each stack is the beginning of the deepest one.
    assert all(path == deepest[: len(path)] for path in paths), paths
    assert not natives
    assert profiled.report.has_whole_stacks
    report = profiled.report.process
    leaf = report.lines(script, {number for number in report.line_numbers(script) if 9 <= number <= 11})
    assert leaf.seconds("python") > 0.9 * report.totals.seconds(*ON_CPU) - 0.1
