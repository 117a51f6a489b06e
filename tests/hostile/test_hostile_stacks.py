# SPDX-License-Identifier: Apache-2.0
"""No stale or spliced stack gets through, however fast we sample."""

import subprocess

import pytest
from legal_stacks import COLOURS, ROOTS, program
from pyrometer_tool import expect_success, profile, stacks
from stack_law import Law

FAST = ["--clock", "perf", "-r", "10000"]
ROUND_SECONDS = 100


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "colours.py"
    path.write_text(program())
    return path


def illegal_stacks(script, python, seconds, options=FAST):
    """(number of samples in the program's code, [(count, offence, stack)])"""
    capture = script.with_name("capture.pyro")
    profiled = profile([script, seconds], python.path, options, capture=capture, timeout=10 * seconds + 600)
    expect_success(profiled)
    law = Law(script, ROOTS)
    rows = [(count, frames) for count, frames in stacks(capture) if any(str(script) in frame for frame in frames)]
    offences = [(count, law.offence(frames), frames) for count, frames in rows]
    return sum(count for count, _ in rows), [row for row in offences if row[1]]


def test_no_illegal_stack(any_python, script):
    samples, illegal = illegal_stacks(script, any_python, 3)
    assert samples > 10000
    assert not illegal, illegal[:5]


@pytest.mark.long
def test_no_illegal_stack_in_a_million_samples(any_python, script):
    samples = 0
    while samples < 1000000:
        more, illegal = illegal_stacks(script, any_python, ROUND_SECONDS)
        assert more and not illegal, illegal[:5]
        samples += more


def frame(script, name, text):
    """The frame of function `name` at the line of the program that has `text`."""
    lines = script.read_text().splitlines()
    start = (
        next(i for i, line in enumerate(lines) if f"def {name.rsplit('.', 1)[-1]}(" in line)
        if name != "<module>"
        else 0
    )
    number = next(i for i in range(start, len(lines)) if text in lines[i]) + 1
    return f"{name} ({script}:{number})"


def test_law_knows_right_from_wrong(script):
    law = Law(script, ROOTS)
    module = frame(script, "<module>", "rounds(end)  #")
    rounds = frame(script, "rounds", "green_work(values)")
    work = frame(script, "green_work", "sorted(values, key=green_key)")
    key, leaf = frame(script, "green_key", "return"), frame(script, "green_leaf", "return")
    assert law.offence([module, rounds, work, key, leaf]) is None
    assert law.offence([module, rounds, work, "list_sort [python3]", key]) is None
    assert law.offence([module, rounds, frame(script, "green_work", "sum("), f"green_generate ({script}:0)"]) is None
    assert law.offence([module, rounds, frame(script, "green_work", "sum("), f"red_generate ({script}:0)"])
    assert law.offence([module, rounds, work, f"green_key ({script}:0)"])
    assert law.offence([module, rounds, work, frame(script, "red_key", "return")])
    assert law.offence([module, rounds, work, leaf])
    assert law.offence([module, rounds, key])
    assert law.offence([rounds, work, key])
    assert law.offence([module, rounds, work, "f (other.py:3)", key])
    assert law.offence([module, frame(script, "red_leaf", "return").replace("red_leaf", "green_leaf")])


def test_law_allows_what_the_interpreter_itself_reports(any_python, script):
    """The program under sys.setprofile, which sees every real stack."""
    spy = script.with_name("spy.py")
    spy.write_text(
        "import sys, runpy\n"
        "seen = set()\n"
        "def look(frame, event, argument):\n"
        "    stack = []\n"
        "    while frame:\n"
        "        stack.append('%s (%s:%d)' % (frame.f_code.co_name, frame.f_code.co_filename, frame.f_lineno))\n"
        "        frame = frame.f_back\n"
        "    seen.add(';'.join(reversed(stack)))\n"
        "code = compile(open(sys.argv[2]).read(), sys.argv[2], 'exec')\n"
        "import threading\n"
        "threading.setprofile(look)\n"
        "sys.setprofile(look)\n"
        "exec(code, {'__name__': '__main__'})\n"
        "sys.setprofile(None)\n"
        "threading.setprofile(None)\n"
        "print('\\n'.join(seen))\n"
    )
    text = subprocess.run([any_python.path, spy, "0.3", script], stdout=subprocess.PIPE, check=True).stdout.decode()
    law = Law(script, ROOTS)
    rows = [[frame for frame in line.split(";") if str(spy) not in frame] for line in text.splitlines()]
    ours = [frames for frames in rows if any(str(script) in frame for frame in frames)]
    assert len(ours) > 30 * len(COLOURS)
    assert not [(law.offence(frames), frames) for frames in ours if law.offence(frames)]
