# SPDX-License-Identifier: Apache-2.0
"""A program cannot tell that it is profiled: each of programs/ ends, prints and writes as its bare run does."""

import pytest
from side_by_side import both, programs

PROGRAMS = {program.name: program for program in programs()}
WITH_REPORT = ["fork_plain", "traceback_main", "exit_code", "signal_terminate", "streams_closed"]


def chosen(name, python, long_run):
    program = PROGRAMS[name]
    if python.version < program.since:
        pytest.skip("needs Python " + ".".join(map(str, program.since)))
    if not (program.short or long_run):
        pytest.skip("needs --long")
    return program


def parameters():
    for name, program in PROGRAMS.items():
        broken = program.broken
        yield pytest.param(name, marks=[pytest.mark.xfail(strict=True, reason=broken)] if broken else [])


@pytest.mark.parametrize("name", list(parameters()))
def test_program_cannot_tell(python, name, long_run):
    bare, profiled = both(chosen(name, python, long_run), python)
    assert bare.status != "timeout", bare
    assert bare.stdout or bare.stderr or bare.files, "a program that shows nothing tests nothing"
    assert profiled.stdout == bare.stdout
    assert profiled.stderr == bare.stderr
    assert profiled == bare


@pytest.mark.parametrize("name", [name for name in WITH_REPORT if name in PROGRAMS])
def test_report_comes_after_everything_of_the_program(python, name, long_run):
    """With the report on, standard output stays the program's own, and the report follows its last message."""
    bare, profiled = both(chosen(name, python, long_run), python, options=())
    assert profiled.stdout == bare.stdout
    assert profiled.stderr[: len(bare.stderr)] == bare.stderr
    assert len(profiled.stderr) > len(bare.stderr)
    assert (profiled.status, profiled.files) == (bare.status, bare.files)
