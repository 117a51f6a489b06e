# SPDX-License-Identifier: Apache-2.0
"""What a program says about the CPU that its marked lines used, and the comparison of a profile with it."""

import json
import math
from collections import defaultdict
from dataclasses import dataclass

from judgement import SIGMAS, START_UP_SECONDS, Finding
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
        self._everything = None  # CPU of all processes, where the program knows it
        for line in path.read_text().splitlines():
            entry = json.loads(line)
            if "mark" in entry:
                self._stretches[entry["pid"], entry["mark"]].append(entry["cpu"])
            else:
                self._everything = entry["cpu"]

    def pids(self):
        return {pid for pid, _ in self._stretches}

    def judge(self, script, report):
        """Findings: the sum of the marked lines, the share of each, their sum in each process, and the whole run."""
        every = self._of()
        findings = [self._ratio("all marks", every, self._cells(script, report.merged))]
        seen = self._cells(script, report.merged)
        for mark in sorted({mark for _, mark in self._stretches}):
            part = self._of(mark=mark)
            findings.append(
                Finding(
                    mark,
                    sum(part) / sum(every),
                    self._cells(script, report.merged, mark).seconds(*ON_CPU) / seen.seconds(*ON_CPU),
                    seen.samples(*ON_CPU),
                    2 * len(part),
                )
            )
        for pid in sorted(self.pids()):
            (process,) = [one for one in report.processes if one.pid == pid and self._cells(script, one).samples()]
            findings.append(self._ratio(f"process {pid}", self._of(pid=pid), self._cells(script, process)))
        return findings + self._whole_run(report)

    def _whole_run(self, report):
        if not self._everything:
            return []
        seen = report.merged.totals.seconds(*ON_CPU)
        slack = START_UP_SECONDS * len(report.processes)
        error = max(0.0, abs(seen - self._everything) - slack) / self._everything
        samples = report.merged.totals.samples(*ON_CPU)
        return [Ratio("whole run", 1.0, 1.0 + math.copysign(error, seen - self._everything), samples, 2)]

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
    def _ratio(name, stretches, cells):
        return Ratio(
            name, 1.0, cells.seconds(*ON_CPU) / sum(stretches), cells.samples(*ON_CPU), 2 * len(stretches)
        )
