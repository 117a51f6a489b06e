# SPDX-License-Identifier: Apache-2.0
"""Many threads, short threads, deep threads."""

import json

import pytest
from comparison import same_as_bare
from pyrometer_tool import TARGETS, marks
from report_json import ON_CPU

MANY, SHORT = 200, 5000


def on_line(report, script, mark, *activities):
    path = TARGETS / script
    return report.merged.lines(path, marks(path)[mark]).seconds(*activities)


def test_200_threads_at_once(python):
    seconds = 4
    report = same_as_bare([TARGETS / "many_threads.py", MANY, seconds], python)
    # The threads hand the GIL around, which is kernel time on the same line.
    assert on_line(report, "many_threads.py", "work", *ON_CPU) == pytest.approx(seconds, rel=0.15)
    assert len(report.process.threads) >= MANY
    busy = [thread for thread in report.process.threads if thread.seconds(*ON_CPU) > 0.3 * seconds / MANY]
    assert len(busy) >= 0.95 * MANY


def test_5000_short_threads(python, tmp_path):
    truth_file = tmp_path / "truth.json"
    report = same_as_bare([TARGETS / "short_threads.py", SHORT, truth_file], python)
    phases = json.loads(truth_file.read_text())["phases"]
    true_share = phases["work"]["cpu"] / (phases["work"]["cpu"] + phases["alone"]["cpu"])
    work, alone = (on_line(report, "short_threads.py", mark, *ON_CPU) for mark in ("work", "alone"))
    # A thread that lives for less than a sample period must still be seen in proportion.
    assert work / (work + alone) == pytest.approx(true_share, abs=0.15)


def test_recursion_of_20000_frames(python):
    report = same_as_bare([TARGETS / "deep.py", 20000, 0.5], python)
    path = TARGETS / "deep.py"
    assert on_line(report, "deep.py", "work", "python") == pytest.approx(0.5, rel=0.15)
    inclusive = report.process.function(path, "down").seconds(*ON_CPU)
    # Recursion is not counted twice.
    assert 0.4 < inclusive <= report.process.totals.seconds(*ON_CPU) * 1.001
