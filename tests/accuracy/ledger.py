# SPDX-License-Identifier: Apache-2.0
"""The findings of all runs of a session, by case and cell."""

import dataclasses
import json

from judgement import POINTS, Finding


class Ledger:
    """One run shows a bias only when it is large; the mean of many shows a small one.

    A file holds it, to which the processes of a session add and which the one that started them reads.
    """

    def __init__(self, path):
        self._path = path

    def add(self, case, run, findings):
        entries = [{"case": str(case), "run": run, **dataclasses.asdict(finding)} for finding in findings]
        with open(self._path, "ab", buffering=0) as file:
            file.write("".join(json.dumps(entry) + "\n" for entry in entries).encode())

    @property
    def _rows(self):
        rows = {}
        for line in open(self._path):
            entry = json.loads(line)
            case, run = entry.pop("case"), entry.pop("run")
            rows.setdefault((case, entry["cell"]), []).append((run, Finding(**entry)))
        return rows

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
