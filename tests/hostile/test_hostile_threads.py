# SPDX-License-Identifier: Apache-2.0
"""Many threads, short threads, deep threads."""

import json

import pytest
from comparison import same_as_bare
from judgement import SIGMAS, Finding, wrong
from pyrometer_tool import TARGETS, marks
from report_json import ON_CPU

MANY, SHORT = 200, 5000
MEASURED = 20  # one in so many of the short threads measures itself


def on_line(report, script, mark):
    path = TARGETS / script
    return report.merged.lines(path, marks(path)[mark])


def test_200_threads_at_once(python):
    compared = same_as_bare([TARGETS / "many_threads.py", MANY, 4], python)
    compared.assert_right(TARGETS / "many_threads.py")
    process, truth = compared.report.process, compared.burned.stretches()
    # The main thread has started two hundred others, which takes its time on a busy machine.
    threads = [cells for cells, thread in zip(process.threads, process.data["threads"]) if thread["name"] != "MainThread"]
    assert len(truth) == MANY == len(threads)
    # Each thread is there with its own time: by a sample or two more or less than what it measured.
    weight = compared.burned.weight(compared.report)
    seen = [thread.seconds(*ON_CPU) for thread in threads]
    assert max(seen) < max(truth) + SIGMAS * weight
    assert min(seen) > 0 or min(truth) < SIGMAS * weight


def test_5000_short_threads(python, tmp_path):
    truth_file = tmp_path / "truth.json"
    report, _ = same_as_bare([TARGETS / "short_threads.py", SHORT, truth_file], python)
    phases = json.loads(truth_file.read_text())["phases"]
    if phases["alone"]["wait"] > phases["alone"]["cpu"]:
        # Whoever has no CPU half of the time gets it at ticks: which thread of less than a tick they meet is no chance.
        pytest.skip("the machine is so busy that its ticks follow the turns of the program")
    true_share = phases["work"]["cpu"] / (phases["work"]["cpu"] + phases["alone"]["cpu"])
    work, alone = (on_line(report, "short_threads.py", mark) for mark in ("work", "alone"))
    # A thread that lives for less than a sample period must still be seen in proportion, and with its time.
    seen, samples = (getattr(work, what)(*ON_CPU) for what in ("seconds", "samples"))
    whole = seen + alone.seconds(*ON_CPU)
    assert not wrong([Finding("work", true_share, seen / whole, samples + alone.samples(*ON_CPU))])
    truth = MEASURED * phases["work"]["cpu"]
    # Which threads the ticks meet is Poisson; what the measured ones took stands for the others.
    assert seen == pytest.approx(truth, rel=0.05 + SIGMAS / samples**0.5)


def test_recursion_of_20000_frames(python):
    path = TARGETS / "deep.py"
    compared = same_as_bare([path, 20000, 0.5], python)
    compared.assert_right(path)
    inclusive = compared.report.process.function(path, "down").seconds(*ON_CPU)
    # Recursion is not counted twice.
    at_work = on_line(compared.report, "deep.py", "work").seconds(*ON_CPU)
    assert 0 < at_work <= inclusive <= compared.report.process.totals.seconds(*ON_CPU) * 1.001
