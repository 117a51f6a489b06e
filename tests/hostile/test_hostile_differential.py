# SPDX-License-Identifier: Apache-2.0
"""A program cannot tell that it is profiled: each of programs/ ends, prints and writes as its bare run does."""

import pythons
from side_by_side import both, programs

WITH_REPORT = ["exit_code", "fork_plain", "signal_terminate", "streams_closed", "traceback_main"]
FAST = ["--no-report", "--clock", "perf", "-r", "10000"]
# So many samples that most of what a memory_* program does happens inside or beside one.
FINE = ["--no-report", "--mem-interval", "1024"]
FAST_IN_SHORT_RUN = ["exec_storm", "limits_signals", "recursion_burn", "signal_masks", "signal_timers"]


def old_mid_new():
    with_gil = [python for python in pythons.found() if not python.name.endswith("t")]
    return list(dict.fromkeys([with_gil[0], with_gil[len(with_gil) // 2], with_gil[-1]]))


def cases(long_run):
    """(interpreter, program): all of them, or each program on two of three interpreters in turn."""
    for number, program in enumerate(programs()):
        if not (program.short or long_run):
            continue
        candidates = pythons.found() if long_run else old_mid_new()
        fitting = [python for python in candidates if python.version >= program.since]
        if not long_run and len(fitting) > 2:
            del fitting[number % len(fitting)]
        yield from ((python, program) for python in fitting)


def pytest_generate_tests(metafunc):
    found = list(cases(metafunc.config.getoption("--long")))
    if metafunc.function is test_report_comes_after_everything_of_the_program:
        found = [(python, program) for python, program in found if program.name in WITH_REPORT]
    elif metafunc.function is test_program_cannot_tell_at_10_khz and not metafunc.config.getoption("--long"):
        found = [(old_mid_new()[-1], program) for program in programs() if program.name in FAST_IN_SHORT_RUN]
    elif metafunc.function is test_program_cannot_tell_with_fine_memory_samples:
        found = [(python, program) for python, program in found if program.name.startswith("memory_")]
        if not metafunc.config.getoption("--long"):  # one interpreter each
            found = list({program.name: (python, program) for python, program in found}.values())
    names = [f"{program.name}-{python}" for python, program in found]
    metafunc.parametrize(("interpreter", "program"), found, ids=names)


def test_program_cannot_tell(interpreter, program):
    compare(*both(program, interpreter))


def test_program_cannot_tell_at_10_khz(interpreter, program):
    compare(*both(program, interpreter, FAST))


def test_program_cannot_tell_with_fine_memory_samples(interpreter, program):
    compare(*both(program, interpreter, FINE))


def compare(bare, profiled):
    assert bare.status != "timeout", bare
    assert bare.stdout or bare.stderr or bare.files, "a program that shows nothing tests nothing"
    assert profiled.stdout == bare.stdout
    assert profiled.stderr == bare.stderr
    assert profiled == bare


def test_report_comes_after_everything_of_the_program(interpreter, program):
    """With the report on, standard output stays the program's own, and the report follows its last message."""
    bare, profiled = both(program, interpreter, options=())
    assert profiled.stdout == bare.stdout
    assert profiled.stderr[: len(bare.stderr)] == bare.stderr
    assert len(profiled.stderr) > len(bare.stderr)
    assert (profiled.status, profiled.files) == (bare.status, bare.files)
