# SPDX-License-Identifier: Apache-2.0
"""Programs that use signals, timers, masks, alternate stacks and faulthandler themselves."""

import signal

import pytest
from comparison import outcome, same_as_bare
from pyrometer_tool import TARGETS, bare, expect_success, profile
from report_json import ON_CPU

SIGNALS = TARGETS / "signals.py"
FAULT = TARGETS / "fault.py"
CLOCKS = [[], ["--clock", "perf", "-r", "2000"]]


@pytest.mark.parametrize("options", CLOCKS, ids=["default", "perf"])
def test_timers_masks_and_handlers_of_the_program(python, options):
    compared = same_as_bare(SIGNALS, python, options)
    compared.assert_right(SIGNALS)
    # Three times with a timer of its own, once for each signal, and once with every signal blocked.
    assert len(compared.burned.stretches(mark="burn")) > 50
    assert len(compared.burned.stretches(mark="masked")) == 1


@pytest.mark.parametrize("options", CLOCKS, ids=["default", "perf"])
def test_alternate_stack_of_the_program(python, options):
    script = TARGETS / "alternate_stack.py"
    compared = same_as_bare(script, python, options)
    compared.assert_right(script)
    assert len(compared.burned.stretches()) == 2


@pytest.mark.parametrize(
    "end", ["segfault", "faulthandler", "dump", "dump-later", "abort", "kill", "term", "os-exit", "interrupt"]
)
def test_violent_ends_are_as_without_us_and_keep_the_profile(python, end):
    compared = same_as_bare([FAULT, end, 0.4], python)
    compared.assert_right(FAULT)
    assert len(compared.burned.stretches()) == 1


@pytest.mark.parametrize("options", [[], ["--clock", "perf", "-r", "10000"]], ids=["default", "perf"])
def test_no_call_is_interrupted(python, options):
    profiled = expect_success(profile([TARGETS / "eintr.py", 3], python.path, options))
    assert profiled.process.stdout == b"nanosleep 0\nselect 0\npoll 0\nread 0\npython 0\n"
    # Zero interruptions mean something only if samples were taken. On a busy machine ticks meet a thread that blocks all
    # the time a quarter as often.
    assert profiled.report.process.totals.samples(*ON_CPU) > 15


def test_terminal_interrupt_reaches_program_and_tool(tmp_path):
    """Ctrl-C goes to the whole process group: the program decides what it means, pyrometer waits for it."""
    script = tmp_path / "patient.py"
    script.write_text(
        "import time, os, signal\n"
        "try:\n"
        "    os.killpg(os.getpgid(0), signal.SIGINT)\n"
        "    time.sleep(5)\n"
        "except KeyboardInterrupt:\n"
        "    print('tidied up')\n"
        "    raise SystemExit(4)\n"
    )
    expected = bare(script, start_new_session=True)
    profiled = profile(script, start_new_session=True)
    assert outcome(profiled.process) == outcome(expected) == (4, b"tidied up\n", [])
    assert profiled.report is not None


def test_signal_to_the_tool_reaches_the_program(tmp_path):
    """A supervisor that stops `pyrometer run` stops the program, which may still end in its own way."""
    script = tmp_path / "service.py"
    script.write_text(
        "import os, signal, sys, time\n"
        "def stop(number, frame):\n"
        "    print('stopping')\n"
        "    sys.exit(5)\n"
        "signal.signal(signal.SIGTERM, stop)\n"
        f"os.kill(os.getppid(), {int(signal.SIGTERM)})\n"
        "time.sleep(10)\n"
    )
    profiled = expect_code(profile(script), 5)
    assert profiled.process.stdout == b"stopping\n"
    assert profiled.report is not None


def expect_code(profiled, code):
    assert profiled.process.returncode == code, profiled.process.stderr[-2000:]
    return profiled


def test_success_has_no_message_of_ours():
    profiled = expect_success(profile([FAULT, "return", 0.05]))
    assert profiled.process.stderr == b""
