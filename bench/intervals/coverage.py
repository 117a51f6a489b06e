# SPDX-License-Identifier: Apache-2.0
"""How often intervals hold the truth, and how far off the figures are."""

import math
import statistics
from typing import NamedTuple

SURE = 0.95  # what the intervals of a report promise
LONG_SECONDS = 2.0  # of CPU time: from here on a share is known to a few points at most


class Row(NamedTuple):
    """A line of one report, in seconds of CPU time, and what it really was."""

    program: str
    run: int
    mark: str
    truth: float
    seen: float
    low: float
    high: float
    whole: float  # of the report
    samples: int  # likewise
    mixed: float = 0.0  # seconds of the line that the report counts as another activity

    @property
    def inside(self):
        return self.low <= self.truth <= self.high

    @property
    def distance(self):
        """From the interval to the truth, in widths of the interval."""
        outside = max(self.low - self.truth, self.truth - self.high, 0.0)
        return outside / (self.high - self.low) if outside else 0.0

    @property
    def points(self):
        return 100 * (self.seen - self.truth) / self.whole

    @property
    def deviation(self):
        """Standard deviation of `points` if samples fell independently of each other."""
        share = min(max(self.truth / self.whole, 0.0), 1.0)
        return 100 * math.sqrt(share * (1 - share) / self.samples)

    @property
    def chance_of_a_point(self):
        """That such a share is right to a percentage point, by the same law."""
        return math.erf(1 / (self.deviation * math.sqrt(2))) if self.deviation else 1.0


def part(values):
    """The part of `values` that is true."""
    values = list(values)
    return sum(values) / len(values) if values else 1.0


def hottest(rows):
    """Of each run the row that has most, by the truth: one row for a run, so that a program of many rows counts once."""
    best = {}
    for row in rows:
        key = row.program, row.run
        if key not in best or row.truth > best[key].truth:
            best[key] = row
    return list(best.values())


def mean_error(rows):
    return statistics.fmean(abs(row.points) for row in rows)


def expected_error(rows):
    """The mean of what chance alone would have for `mean_error`."""
    return math.sqrt(2 / math.pi) * statistics.fmean(row.deviation for row in rows)


def holds(rows):
    """Whether intervals hold the truth as often as they say: those of all rows, and of the hottest of each run."""
    return part(row.inside for row in rows) >= SURE and part(row.inside for row in hottest(rows)) >= SURE


def programs_table(rows, unseen):
    """Lines of a table with a row for each program; `unseen`: program -> marked lines without any sample."""
    heads = ["program", "CPU s", "rows judged", "inside", "of the hottest", "worst distance, widths"]
    heads += ["mean error, points", "another activity", "not seen"]
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for program in dict.fromkeys(row.program for row in rows):
        own = [row for row in rows if row.program == program]
        first = hottest(own)
        cells = [
            program,
            f"{statistics.fmean(row.whole for row in first):.1f}",
            str(len(own)),
            f"{sum(row.inside for row in own)} ({part(row.inside for row in own):.0%})",
            f"{sum(row.inside for row in first)} of {len(first)}",
            f"{max(row.distance for row in own):.2f}",
            f"{mean_error(own):.2f}",
            f"{100 * sum(row.mixed for row in own) / sum(row.truth for row in own):.1f} %",
            str(unseen.get(program, 0)),
        ]
        yield f"| {' | '.join(cells)} |"


def lines_table(rows):
    """Lines of a table with a row for each marked line of the longer programs: is it right to a percentage point?"""
    yield "| program, line | true share | inside | mean error, points | by chance | to a point | by chance |"
    yield "|---|---|---|---|---|---|---|"
    for program, mark in dict.fromkeys((row.program, row.mark) for row in rows):
        own = [row for row in rows if (row.program, row.mark) == (program, mark)]
        if statistics.fmean(row.whole for row in own) < LONG_SECONDS:
            continue
        cells = [
            f"{program}, {mark}",
            f"{statistics.fmean(row.truth / row.whole for row in own):.1%}",
            f"{part(row.inside for row in own):.0%}",
            f"{mean_error(own):.2f}",
            f"{expected_error(own):.2f}",
            f"{part(abs(row.points) <= 1 for row in own):.0%}",
            f"{statistics.fmean(row.chance_of_a_point for row in own):.0%}",
        ]
        yield f"| {' | '.join(cells)} |"
