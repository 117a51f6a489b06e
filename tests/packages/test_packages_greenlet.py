# SPDX-License-Identifier: Apache-2.0
"""Each greenlet has its own stack in the profile, Python and C, and below it that of its parent, however fast we sample
and they switch."""

import pytest
from burned import BURN
from greenlet_colours import C_CALLS, ROOTS, nested, siblings, through_c
from pyrometer_tool import expect_report, expect_success, marks, profile, stacks
from report_json import WAITS
from stack_law import FRAME, Law

FAST = ["--clock", "perf", "-r", "10000"]
# Loss and its largest share of all samples. Before 3.11 a C activation is there some time before its Python frame.
LOSSES = {"samples_skipped": 0.01, "stacks_unmerged": 0.03}
# Stacks that end at their greenlet, of all: in the middle of a switch it may not be known yet which greenlet it is.
CUT_AT_A_GREENLET = 0.1


@pytest.mark.parametrize("program", (siblings, through_c, nested), ids=lambda program: program.__name__)
def test_each_greenlet_has_its_own_stack_and_its_parents(python, program, tmp_path, long_run):
    script = tmp_path / "greenlets.py"
    script.write_text(program())
    capture = script.with_name("capture.pyro")
    seconds = 60 if long_run else 1.5
    profiled = expect_success(profile([script, seconds], python.path, FAST, capture=capture, timeout=600))
    assert profiled.process.stdout == b"all are done\n"
    rows = [(count, frames) for count, frames in stacks(capture) if any(str(script) in frame for frame in frames)]
    samples = sum(count for count, _ in rows)
    assert samples > 3000 * seconds
    law = Law(script, ROOTS)
    lines = {str(number): text for number, text in enumerate(script.read_text().splitlines(), start=1)}
    offences = [(count, law.offence(frames) or foreign_c_code(lines, frames), frames) for count, frames in rows]
    assert not [row for row in offences if row[1]]
    for loss, share in LOSSES.items():
        assert profiled.report.loss(loss) < share * samples, loss
    assert sum(count for count, frames in rows if not begins_at_the_root(frames)) < CUT_AT_A_GREENLET * samples


def test_a_wait_counts_for_the_parents_line(python, tmp_path):
    script = tmp_path / "waits.py"
    # The first one is sampled on a CPU, which makes the thread's greenlets known to who looks at waits from outside.
    script.write_text(f"""{BURN}
import threading
import greenlet
greenlet.greenlet(burn).switch(0.5)
greenlet.greenlet(threading.Event().wait).switch(0.5)  # mark: wait
""")
    process = expect_report(profile([script], python.path)).process
    # The first look at a wait may be late, most of all on a busy machine.
    late = 0.05 + process.totals.seconds("run_queue")
    assert process.lines(script, marks(script)["wait"]).seconds(*WAITS) > 0.95 * 0.5 - late


def begins_at_the_root(frames):
    return next(match["name"] for match in map(FRAME.match, frames) if match) == "<module>"


def foreign_c_code(lines, frames):
    """Why the C frames of a stack cannot be those of its greenlet, or None."""
    line = None
    for frame in frames:
        python = FRAME.match(frame)
        if python:
            line = lines.get(python["line"], "") if "greenlets.py" in python["file"] else ""
            continue
        name = frame.split(" ")[0]
        if line is None and name in ("_PyEval_EvalFrameDefault", *C_CALLS.values()):
            return f"{name} below the greenlet's first function"
        if line and any(name == c_name and call not in line for call, c_name in C_CALLS.items()):
            return f"{name} below {line.strip()!r}"
    return None


def test_foreign_c_code_is_noticed():
    lines = {"1": "sorted(values)", "2": "leaf(x)"}
    outer, inner = "red (greenlets.py:1)", "red_leaf (greenlets.py:2)"
    assert foreign_c_code(lines, ["inner_bootstrap [g.so]", outer, "list_sort [p]", inner]) is None
    assert foreign_c_code(lines, [outer, "map_next [p]", inner])
    assert foreign_c_code(lines, [outer, "list_sort [p]", inner, "list_sort [p]"])
    assert foreign_c_code(lines, ["_PyEval_EvalFrameDefault [p]", outer])
