# SPDX-License-Identifier: Apache-2.0
"""Functions that numba has compiled have their names, and with debug information their lines."""

import fcntl
import platform

import pytest
from package_environment import FOLDER, INSTALL, trouble_with
from pyrometer_tool import marks
from report_json import ON_CPU, Cells
from sessions import PROGRAMS, same_as_bare

SCRIPT = PROGRAMS / "numba_lines.py"
CUT = "native stacks cut short"


@pytest.fixture
def numba(recent_python):
    """A folder with numba, which is too large for each environment; downloaded once."""
    folder = FOLDER / f"numba-{recent_python.name}"
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "numba").exists():
            trouble = trouble_with([recent_python.path, "-m", "pip", *INSTALL, "--target", folder, "numba"])
            if trouble:
                pytest.skip(f"no numba for {recent_python.name}: {trouble}")
    return folder


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
    assert session.report.loss(CUT) == 0
