# SPDX-License-Identifier: Apache-2.0
"""Runs a program with and without pyrometer: the program must not notice."""

import functools
import re

from pyrometer_tool import bare, expect_report, profile

ADDRESS = re.compile(rb"0x[0-9a-f]+")


def same_as_bare(script, python, options=()):
    """Profiles `script`; its output and exit status must be those of a bare run. Returns the report."""
    expected = _bare(tuple(map(str, script if isinstance(script, list) else [script])), python.path)
    profiled = profile(script, python.path, options)
    assert outcome(profiled.process) == outcome(expected)
    return expect_report(profiled)


@functools.lru_cache(maxsize=None)
def _bare(words, path):
    return bare(list(words), path)


def outcome(process):
    """What a caller can see of a finished program. pyrometer's own lines and addresses do not count."""
    lines = [line for line in process.stderr.splitlines() if not line.startswith(b"pyrometer:")]
    return process.returncode, process.stdout, [ADDRESS.sub(b"ADDRESS", line) for line in lines]
