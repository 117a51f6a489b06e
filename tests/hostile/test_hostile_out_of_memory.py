# SPDX-License-Identifier: Apache-2.0
"""What the kernel's OOM killer ends keeps its profile up to the last moment: it cannot be asked for anything any more."""

import pytest
from comparison import outcome
from memory_group import memory_group
from pyrometer_tool import TARGETS, bare, expect_success, marks, profile
from report_json import ON_CPU

SCRIPT = TARGETS / "out_of_memory.py"
LIMIT_BYTES = 200 << 20
SECONDS = 0.6


def test_child_that_the_kernel_kills_keeps_its_profile(python):
    with memory_group(LIMIT_BYTES) as group:
        expected = bare([SCRIPT, group, SECONDS], python.path)
        # Fine enough for each block to be exact.
        profiled = expect_success(profile([SCRIPT, group, SECONDS], python.path, ["--mem-interval", "65536"]))
    assert outcome(profiled.process) == outcome(expected) == (0, b"9\n", [])
    parent, child = profiled.report.processes
    at = marks(SCRIPT)
    assert child.lines(SCRIPT, at["burn"]).seconds(*ON_CPU) == pytest.approx(SECONDS, rel=0.2)
    # It grew until it could not: the last blocks are in the profile, and they are most of the limit.
    held = child.memory(SCRIPT, at["hold"]).bytes("at_end")
    assert 0.8 * LIMIT_BYTES < held < 1.02 * LIMIT_BYTES
    assert child.data["exit"]["signal"] == 9
    assert parent.memory(SCRIPT, at["hold"]).bytes("allocated") == 0
