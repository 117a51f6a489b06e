# SPDX-License-Identifier: Apache-2.0
"""The findings of all runs of a session, by case and cell."""

from judgement import POINTS


class Ledger:
    """One run shows a bias only when it is large; the mean of many shows a small one."""

    def __init__(self):
        self._rows = {}

    def add(self, case, run, findings):
        for finding in findings:
            self._rows.setdefault((str(case), finding.cell), []).append((run, finding))

    def biased(self):
        """Cells whose mean error exceeds what chance and 2 points allow."""
        return [
            f"{case}: {cell}: mean error {mean:+.2%} over {count} runs, allowed {allowed:.2%}"
            for case, cell, mean, allowed, count in self._means()
            if abs(mean) > allowed
        ]

    def lines(self):
        for case, cell, mean, allowed, count in self._means():
            run, worst = max(self._rows[case, cell], key=lambda row: abs(row[1].error))
            yield (
                f"{case:<17} {cell:<18} mean {mean:+6.2%} (allowed {allowed:5.2%}, {count} runs), "
                f"worst {worst.error:+6.2%} of {worst.truth:7.2%} ({worst.samples} samples, {run})"
            )

    def _means(self):
        for (case, cell), rows in self._rows.items():
            errors = [finding.error for _, finding in rows]
            spread = sum(finding.spread**2 for _, finding in rows) ** 0.5
            yield case, cell, sum(errors) / len(rows), POINTS + spread / len(rows), len(rows)
