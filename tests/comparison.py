# SPDX-License-Identifier: Apache-2.0
"""Runs a program with and without pyrometer: the program must not notice."""

import functools
import os
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from burned import Burned
from judgement import wrong
from pyrometer_tool import bare, expect_report, profile
from report_json import Report

ADDRESS = re.compile(rb"0x[0-9a-f]+")


class Compared(NamedTuple):
    """A report, and what the same run of the program says about itself (targets/burning.py)."""

    report: Report
    burned: Burned

    def assert_right(self, script):
        """The marked lines of `script` have the CPU time that the program measured on them."""
        findings = self.burned.judge(script, self.report)
        assert not wrong(findings), "\n".join(map(str, findings))


def same_as_bare(script, python, options=()):
    """Profiles `script`; its output and exit status must be those of a bare run."""
    expected = _bare(tuple(map(str, script if isinstance(script, list) else [script])), python.path)
    with tempfile.TemporaryDirectory(prefix="pyrometer-burned-") as folder:
        file = Path(folder, "burned")
        profiled = profile(script, python.path, options, env={**os.environ, "BURNED": str(file)})
        assert outcome(profiled.process) == outcome(expected)
        return Compared(expect_report(profiled), Burned(file))


@functools.lru_cache(maxsize=None)
def _bare(words, path):
    return bare(list(words), path)


def outcome(process):
    """What a caller can see of a finished program. pyrometer's own lines and addresses do not count."""
    lines = [line for line in process.stderr.splitlines() if not line.startswith(b"pyrometer:")]
    return process.returncode, process.stdout, [ADDRESS.sub(b"ADDRESS", line) for line in lines]
