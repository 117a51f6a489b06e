# SPDX-License-Identifier: Apache-2.0
"""Exports come back with what was recorded."""

import csv
import io

import pytest
from exported import MEMORY, TIMES
from imported import Imported
from pyrometer_tool import pyrometer

# What of the sums a format keeps.
CPU = ["cpu", "python", "native", "kernel"]
KEPT = {
    "pprof": ["samples", *TIMES, *MEMORY],
    "callgrind": ["samples", *TIMES, *MEMORY],
    "perfetto": [*CPU, "wall", "allocated", "copied"],
}


@pytest.mark.parametrize("format_", KEPT)
def test_sums(exports, totals, format_):
    sums = Imported(exports.path(format_)).sums()
    assert {name: sums[name] for name in KEPT[format_]} == {name: totals[name] for name in KEPT[format_]}


def values_of_lines(imported, columns):
    """Line of Python -> the values of these columns, where there are any."""
    header, *rows = csv.reader(io.StringIO(imported.csv()))
    values = {tuple(row[:4]): [row[header.index(name)] for name in columns] for row in rows if row[0] == "python"}
    return {line: row for line, row in values.items() if any(map(int, row))}


def columns(kind):
    return [f"{kind}_samples", *(f"{kind}_{name}_ns" for name in TIMES), *(f"{kind}_{name}_bytes" for name in MEMORY)]


@pytest.mark.parametrize("kind", ["self", "total"])
def test_pprof_keeps_each_line(exports, kind):
    ours, theirs = Imported(exports.capture), Imported(exports.path("pprof"))
    assert values_of_lines(theirs, columns(kind)) == values_of_lines(ours, columns(kind))


def test_pprof_keeps_processes_and_threads(exports):
    ours, theirs = Imported(exports.capture).page(), Imported(exports.path("pprof")).page()
    assert "worker" in theirs.texts("thread.name")
    for column in ("thread.tid", "process.pid"):
        assert set(theirs[column]) == set(ours[column])


@pytest.mark.parametrize("metric", ["cpu", "wall"])
def test_pstats(exports, totals, metric):
    imported = Imported(exports.path("pstats", "--metric", metric))
    # Seconds in pstats are floating-point numbers, rounded to nanoseconds once for each function.
    assert imported.sums()["wall"] == pytest.approx(totals[metric], abs=1000)


def test_pstats_keeps_functions(exports):
    ours, theirs = Imported(exports.capture).stacks("cpu", "--functions"), Imported(exports.path("pstats")).own()
    burn = sum(count for stack, count in ours.items() if stack[-1].startswith("burn ("))
    assert theirs["burn"] == pytest.approx(burn, abs=10)


def test_callgrind_keeps_what_is_a_lines_own(exports):
    ours, theirs = Imported(exports.capture), Imported(exports.path("callgrind"))
    assert values_of_lines(theirs, columns("self")) == values_of_lines(ours, columns("self"))


def test_perfetto_keeps_times_and_threads(exports):
    ours, theirs = Imported(exports.capture).page(), Imported(exports.path("perfetto")).page()
    assert sorted(set(theirs["sample.time"])) == sorted(set(ours["sample.time"]))
    assert "worker" in theirs.texts("thread.name")


def test_packed_and_named(exports, tmp_path):
    """A file is known by its content, whatever it is called, and may be named."""
    path = tmp_path / "what.ever"
    path.write_bytes(exports.bytes("pprof"))
    assert Imported(path).sums() == Imported(path, "--from", "pprof").sums()
    wrong = pyrometer("report", path, "--from", "pstats")
    assert wrong.returncode != 0 and len(wrong.stderr.decode().splitlines()) == 1


@pytest.mark.parametrize("format_", ["pprof", "callgrind", "pstats", "perfetto"])
def test_cut_files_are_read_or_refused(exports, tmp_path, format_):
    whole = exports.bytes(format_)
    for size in range(0, len(whole), max(1, len(whole) // 12)):
        (tmp_path / "cut").write_bytes(whole[:size])
        done = pyrometer("report", tmp_path / "cut", "--from", format_)
        assert done.returncode in (0, 2), done.stderr
        assert done.returncode == 0 or len(done.stderr.decode().splitlines()) == 1
