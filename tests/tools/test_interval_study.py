# SPDX-License-Identifier: Apache-2.0
"""bench/intervals counts right: a truth outside of its interval is found, and CPU time of short pieces is known."""

import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "intervals"))

from coverage import Row, expected_error, holds, hottest, lines_table, mean_error, programs_table
from pieces import cpu_of_pieces

MS = 1_000_000


def row(truth, run=0, mark="a", seen=0.5, low=0.4, high=0.6, samples=100):
    return Row("program", run, mark, truth, seen, low, high, whole=1.0, samples=samples)


@pytest.mark.parametrize("truth, inside, distance", [(0.4, True, 0), (0.6, True, 0), (0.39, False, 0.05), (0.8, False, 1)])
def test_a_truth_outside_is_found(truth, inside, distance):
    assert row(truth).inside == inside
    assert row(truth).distance == pytest.approx(distance)


def test_errors_are_percentage_points_of_the_whole():
    rows = [row(0.45), row(0.53)]
    assert mean_error(rows) == pytest.approx(4)
    # 100 samples of a share of a half: a standard deviation of 5 points, 0.8 of it on average.
    assert expected_error([row(0.5)]) == pytest.approx(5 * 0.798, rel=1e-3)
    assert row(0.5).chance_of_a_point == pytest.approx(0.1585, rel=1e-2)


def test_the_row_with_most_stands_for_its_run():
    rows = [row(0.2, run=0), row(0.5, run=0, mark="b"), row(0.3, run=1)]
    assert [(one.run, one.mark) for one in hottest(rows)] == [(0, "b"), (1, "a")]


def test_the_bar_is_95_of_100_for_rows_and_for_runs():
    good = [row(0.5, run=run) for run in range(95)]
    assert holds(good + [row(0.7, run=run) for run in range(95, 100)])
    assert not holds(good + [row(0.7, run=run) for run in range(95, 101)])
    # Many rows that are right do not hide that those with most are not.
    small = [row(0.4, run=run, mark=mark) for run in range(100) for mark in "bcdefghi"]
    assert not holds(small + good + [row(0.7, run=run) for run in range(95, 101)])


def test_tables_have_a_line_for_each_program_and_for_each_line_of_long_ones():
    rows = [row(0.5), row(0.9, run=1)]
    (line,) = list(programs_table(rows, {"program": 3}))[2:]
    assert line == "| program | 1.0 | 2 | 1 (50%) | 1 of 2 | 1.50 | 20.00 | 0.0 % | 3 |"
    assert len(list(lines_table(rows))) == 2
    assert len(list(lines_table([one._replace(whole=3.0) for one in rows]))) == 3


def test_pieces_keep_their_time_where_the_thread_had_its_cpu():
    walls = [("a", 1 * MS), ("b", 3 * MS)] * 10
    assert cpu_of_pieces(walls, 40 * MS) == {"a": 10 * MS, "b": 30 * MS}


def test_time_without_a_cpu_is_taken_off_the_piece_that_had_none():
    walls = [("a", 1 * MS), ("b", 1 * MS)] * 10 + [("b", 8 * MS), ("a", 5 * MS)]
    assert cpu_of_pieces(walls, 22 * MS) == {"a": 11 * MS, "b": 11 * MS}
    # Of a phase with few pieces nobody knows how long one takes: all others tell.
    assert cpu_of_pieces(walls + [("c", 21 * MS)], 23 * MS)["c"] == 1 * MS
