# SPDX-License-Identifier: Apache-2.0
"""What the kernel's OOM killer ends keeps its profile up to the last moment: it cannot be asked for anything any more."""

import os

from burned import Burned
from comparison import Compared, outcome
from memory_group import memory_group
from pyrometer_tool import TARGETS, bare, expect_success, marks, profile

SCRIPT = TARGETS / "out_of_memory.py"
LIMIT_BYTES = 200 << 20
SECONDS = 0.6
# The block that the child had asked for and not yet counted when it was killed.
LAST_BYTES = 3 << 20
# Every block is sampled.
EXACT = ["--mem-interval", 64 << 10]


def test_child_that_the_kernel_kills_keeps_its_profile(python, tmp_path):
    truth = tmp_path / "truth"
    with memory_group(LIMIT_BYTES) as group:
        words = [SCRIPT, group, SECONDS, truth]
        expected = bare(words, python.path)
        environment = {**os.environ, "BURNED": str(tmp_path / "burned")}
        profiled = expect_success(profile(words, python.path, EXACT, env=environment))
    assert outcome(profiled.process) == outcome(expected) == (0, b"9\n", [])
    parent, child = profiled.report.processes
    at = marks(SCRIPT)
    assert child.data["exit"]["signal"] == 9
    Compared(profiled.report, Burned(tmp_path / "burned")).assert_right(SCRIPT)
    held = int(truth.read_text())
    assert held > 0.8 * LIMIT_BYTES
    assert held <= child.memory(SCRIPT, at["hold"]).bytes("live_at_exit") <= held + LAST_BYTES
    assert parent.memory(SCRIPT, at["hold"]).bytes("allocated") == 0
