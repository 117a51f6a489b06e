# SPDX-License-Identifier: Apache-2.0
"""CPython's own JIT (3.14 and later): code that it made of bytecode is that bytecode, on its lines."""

from types import SimpleNamespace

import pytest
import pythons
from cases import CASES
from judgement import judge, wrong
from pyrometer_tool import bare
from test_accuracy import run

FIRST = (3, 14)
JIT = SimpleNamespace(name="jit", options=("--cpu-only",), launcher=["env", "PYTHON_JIT=1"])
NAMES = ("python-native", "two-lines", "calls")
LOSS = "native_stacks_cut"
# Its code keeps no frame pointer; what is in that register instead leads astray once in some thousand samples.
CUT_SHORT = {(3, 14): 0.01}


def candidates():
    return [python for python in pythons.found() + pythons.foreign() if python.version >= FIRST]


def has_jit(python):
    code = "import sys; print(sys._jit.is_enabled())"
    return bare(["-c", code], python.path, env={"PYTHON_JIT": "1"}).stdout == b"True\n"


@pytest.mark.parametrize("jit_python", candidates(), ids=str)
@pytest.mark.parametrize("case", [case for case in CASES if case.name in NAMES], ids=str)
def test_shares_with_the_jit(case, jit_python, duration, truth_file):
    if not has_jit(jit_python):
        pytest.skip("this interpreter has no JIT")
    truth, report = run(case, jit_python, JIT, duration, truth_file)
    findings = judge(case, truth, report.process)
    assert not wrong(findings), "\n".join(map(str, findings))
    modules = {entry["module"] for entry in report.process.data["native_functions"]}
    assert "JIT code" not in modules
    few = CUT_SHORT.get(jit_python.version, 0) * report.process.totals.samples()
    assert report.has_whole_stacks or report.loss(LOSS) <= few
