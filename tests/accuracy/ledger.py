# SPDX-License-Identifier: Apache-2.0
"""The findings of all runs of a session, by case and cell."""

import collections
import dataclasses
import json
import math

from judgement import POINTS, Finding

# The share of runs that may meet a machine that stands still at a moment that counts, and how unlikely more of them
# must be until it is no accident.
STANDSTILLS = 0.05
CHANCE = 1e-4
ALL = "all"


def _chance_of(retries, tests):
    """That at least so many of the tests meet a standstill."""
    return sum(math.comb(tests, k) * STANDSTILLS**k * (1 - STANDSTILLS) ** (tests - k) for k in range(retries, tests + 1))


class Ledger:
    """One run shows a bias only when it is large; the mean of many shows a small one.

    A file holds it, to which the processes of a session add and which the one that started them reads.
    """

    def __init__(self, path):
        self._path = path

    def add(self, case, run, findings, again=None):
        """The findings of one recording. `again`, where a test may make a second one: whether this is it."""
        if not findings:
            raise AssertionError(f"{case}, {run}: nothing was judged")
        of_run = {"case": str(case), "run": run}
        self._write([{**of_run, "again": again}, *({**of_run, **dataclasses.asdict(finding)} for finding in findings)])

    def _write(self, entries):
        with open(self._path, "ab", buffering=0) as file:
            file.write("".join(json.dumps(entry) + "\n" for entry in entries).encode())

    @property
    def _entries(self):
        with open(self._path) as file:
            return [json.loads(line) for line in file]

    @property
    def _rows(self):
        rows = {}
        for entry in self._entries:
            case, run = entry.pop("case"), entry.pop("run")
            if "again" not in entry:
                rows.setdefault((case, entry["cell"]), []).append((run, Finding(**entry)))
        return rows

    @property
    def _runs(self):
        """(tests that may make a second run, second runs) of all and of each case."""
        runs = collections.defaultdict(lambda: [0, 0])
        for entry in self._entries:
            if entry.get("again") is not None:
                runs[ALL][entry["again"]] += 1
                runs[entry["case"]][entry["again"]] += 1
        return runs

    @property
    def tests(self):
        """How many have told their findings."""
        return sum("again" in entry and not entry["again"] for entry in self._entries)

    def retry_lines(self):
        for case, (tests, retries) in self._runs.items():
            if retries:
                yield f"{case:<17} {retries} of {tests} tests needed a second run"

    def too_often_retried(self):
        """Where so many tests needed a second run that it is no accident: an error that comes and goes."""
        return [
            f"{case}: {retries} of {tests} tests needed a second run"
            for case, (tests, retries) in self._runs.items()
            if _chance_of(retries, tests) < CHANCE
        ]

    def biased(self):
        """Cells whose mean error exceeds what chance and 2 points allow."""
        return [
            f"{case}: {cell}: mean error {mean:+.2%} over {count} runs, allowed {allowed:.2%}"
            for case, cell, mean, allowed, count in self._means()
            if abs(mean) > allowed
        ]

    def lines(self):
        rows = self._rows
        for case, cell, mean, allowed, count in self._means():
            run, worst = max(rows[case, cell], key=lambda row: abs(row[1].error))
            yield (
                f"{case:<17} {cell:<18} mean {mean:+6.2%} (allowed {allowed:5.2%}, {count} runs), "
                f"worst {worst.error:+6.2%} of {worst.truth:7.2%} ({worst.samples} samples, {run})"
            )

    def _means(self):
        for (case, cell), rows in self._rows.items():
            errors = [finding.error for _, finding in rows]
            spread = sum(finding.spread**2 for _, finding in rows) ** 0.5
            yield case, cell, sum(errors) / len(rows), POINTS + spread / len(rows), len(rows)
