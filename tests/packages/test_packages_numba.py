# SPDX-License-Identifier: Apache-2.0
"""Functions that numba has compiled have their names, and with debug information their lines."""

import platform

import pytest
from package_environment import package_folder
from pyrometer_tool import marks
from report_json import ON_CPU, Cells
from sessions import PROGRAMS, same_as_bare

SCRIPT = PROGRAMS / "numba_lines.py"


@pytest.fixture
def numba(recent_python):
    return package_folder(recent_python, "numba")


@pytest.mark.long
@pytest.mark.skipif(platform.machine() != "x86_64", reason="tried on x86-64 only")
def test_numba(recent_python, numba, tmp_path):
    session = same_as_bare([SCRIPT, numba, 12], recent_python, tmp_path, ["--cpu-only"])
    session.assert_right(SCRIPT)
    process = session.report.process
    natives = process.data["native_functions"]
    jit = {entry["name"]: Cells(entry["self"]) for entry in natives if entry["module"] == "JIT code"}
    call = process.lines(SCRIPT, marks(SCRIPT)["call"]).seconds(*ON_CPU)
    assert jit["__main__.plain"].seconds(*ON_CPU) > 0.95 * call
    assert "with_lines" in process.function_names(SCRIPT)
    assert "<JIT code>" not in jit
    assert session.report.has_whole_stacks
