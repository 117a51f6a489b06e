# SPDX-License-Identifier: Apache-2.0
"""What a program says about the CPU that its marked lines used, and the comparison of a profile with it."""

import json
import math
from collections import defaultdict
from dataclasses import dataclass

from judgement import SIGMAS, Finding
from pyrometer_tool import marks
from report_json import ON_CPU


@dataclass(frozen=True)
class Ratio(Finding):
    """A sum against its true value: only where its stretches begin and end is a matter of chance."""

    @property
    def spread(self):
        return SIGMAS * math.sqrt(self.borders / 3) / max(self.samples, 1)


class Burned:
    """Stretches of work by process and mark: see programs/burning.py."""

    def __init__(self, path):
        self._stretches = defaultdict(list)
        for line in path.read_text().splitlines():
            entry = json.loads(line)
            self._stretches[entry["pid"], entry["mark"]].append(entry["cpu"])

    def pids(self):
        return {pid for pid, _ in self._stretches}

    def judge(self, script, report, activities=ON_CPU):
        """Findings: the sum, the share of each mark, and the sum of each process."""
        every = self._of()
        findings = [self._ratio("all marks", every, self._cells(script, report.merged), activities)]
        seen = self._cells(script, report.merged)
        for mark in sorted({mark for _, mark in self._stretches}):
            part = self._of(mark=mark)
            findings.append(
                Finding(
                    mark,
                    sum(part) / sum(every),
                    self._cells(script, report.merged, mark).seconds(*activities) / seen.seconds(*activities),
                    seen.samples(*activities),
                    2 * len(part),
                )
            )
        for pid in sorted(self.pids()):
            (process,) = [one for one in report.processes if one.pid == pid and self._cells(script, one).samples()]
            findings.append(
                self._ratio(f"process {pid}", self._of(pid=pid), self._cells(script, process), activities)
            )
        return findings

    def _of(self, pid=None, mark=None):
        return [
            cpu
            for key, stretches in self._stretches.items()
            if (pid or key[0], mark or key[1]) == key
            for cpu in stretches
        ]

    def _cells(self, script, process, mark=None):
        numbers = marks(script)
        wanted = [mark] if mark else {mark for _, mark in self._stretches}
        return process.lines(script, set().union(*(numbers[one] for one in wanted)))

    @staticmethod
    def _ratio(name, stretches, cells, activities):
        return Ratio(
            name, 1.0, cells.seconds(*activities) / sum(stretches), cells.samples(*activities), 2 * len(stretches)
        )
