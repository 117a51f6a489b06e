# SPDX-License-Identifier: Apache-2.0
"""What a program says about the CPU that its marked lines used, and the comparison of a profile with it."""

import json
import math
from collections import defaultdict
from dataclasses import dataclass

from judgement import SIGMAS, START_UP_SECONDS, Finding, tick_variance, with_interrupts, wrong
from pyrometer_tool import TARGETS, marks
from report_json import ON_CPU, Cells

# For programs that a test writes: a function that burns, and says how much.
BURN = f"""
import os, sys, time
sys.path.append({str(TARGETS)!r})
from burning import rounds
def burn(seconds, mark="burn"):
    for count in rounds(seconds, mark, 20):
        for _ in range(count): sum(range(1000))
"""


@dataclass(frozen=True)
class Ratio(Finding):
    """A sum against its true value: only where its stretches begin and end is a matter of chance."""

    @property
    def spread(self):
        return SIGMAS * math.hypot(math.sqrt(self.borders / 3) / max(self.samples, 1), self.ticks)


class Burned:
    """Stretches of work by process and mark: see targets/burning.py."""

    def __init__(self, path):
        self._stretches = defaultdict(list)
        self._workers = defaultdict(float)  # mark -> CPU of other threads and processes than the one that measured
        self._everything = None  # CPU of all processes, where the program knows it
        for line in path.read_text().splitlines() if path.exists() else ():
            entry = json.loads(line)
            if "mark" in entry:
                self._stretches[entry["pid"], entry["mark"]].append(entry["cpu"])
                self._workers[entry["mark"]] += entry["cpu"] - entry.get("own", entry["cpu"])
            else:
                self._everything = entry["cpu"]

    def pids(self):
        return {pid for pid, _ in self._stretches}

    def stretches(self, pid=None, mark=None):
        """CPU seconds of each stretch of a process, of a mark, or of all."""
        return [
            cpu
            for key, stretches in self._stretches.items()
            if (pid or key[0], mark or key[1]) == key
            for cpu in stretches
        ]

    @staticmethod
    def weight(report):
        """CPU seconds for which one sample of the run stands, on average."""
        totals = report.merged.totals
        assert totals.samples(*ON_CPU), "there is no sample at all"
        return totals.seconds(*ON_CPU) / totals.samples(*ON_CPU)

    def wrong(self, cells, report, mark=None):
        """What is wrong with the CPU time in `cells`, which should be that of all stretches of a mark, or of all."""
        return wrong([self._ratio(mark or "all", self.stretches(mark=mark), cells, report)])

    def judge(self, script, report):
        """Findings: the sum of the marked lines, the share of each, their sum in each process, and the whole run."""
        findings = self.judge_merged(script, report)
        for pid in sorted(self.pids()):
            # One that became another program by exec has several entries.
            cells = Cells.sum(self._cells(script, process) for process in report.processes if process.pid == pid)
            findings.append(self._ratio(f"process {pid}", self.stretches(pid=pid), cells, report))
        return findings + self._whole_run(report)

    def judge_merged(self, script, report, threads=1):
        """Findings: the sum of the marked lines, and the share of each, whoever has worked for them.

        Each of the `threads` that work at once has borders of its own. What a child uses before its first sample and
        after its last one may be missing.
        """
        every = self.stretches()
        seen = self._cells(script, report.merged)
        missing = START_UP_SECONDS * (len(report.processes) - 1) if threads > 1 else 0.0
        findings = [self._ratio("all marks", every, seen, report, threads, missing)]
        for mark in sorted({mark for _, mark in self._stretches}):
            part = self.stretches(mark=mark)
            there = self._cells(script, report.merged, mark).seconds(*ON_CPU)
            borders = 2 * len(part) * threads
            findings.append(
                Finding(mark, sum(part) / sum(every), _part(there, seen), seen.samples(*ON_CPU), borders)
            )
        return findings

    def judge_workers(self, mark, seconds, script, report):
        """The finding about the part of a mark that workers have: they have `seconds` of it in the report."""
        truth = self._workers[mark]
        if seconds < truth:
            seconds = min(truth, seconds + START_UP_SECONDS * (len(report.processes) - 1))
        line = self._cells(script, report.merged, mark)
        share = min(1.0, max(0.0, truth / sum(self.stretches(mark=mark))))
        return Finding(f"workers of {mark}", share, _part(seconds, line), line.samples(*ON_CPU))

    def _whole_run(self, report):
        if not self._everything:
            return []
        seen = report.merged.totals.seconds(*ON_CPU)
        slack = START_UP_SECONDS * len(report.processes)
        error = max(0.0, abs(seen - self._everything) - slack) / self._everything
        samples = report.merged.totals.samples(*ON_CPU)
        return [Ratio("whole run", 1.0, 1.0 + math.copysign(error, seen - self._everything), samples, 2)]

    def _cells(self, script, process, mark=None):
        numbers = marks(script)
        wanted = [mark] if mark else {mark for _, mark in self._stretches}
        return process.lines(script, set().union(*(numbers[one] for one in wanted)))

    @staticmethod
    def _ratio(name, stretches, cells, report, threads=1, missing=0.0):
        # As many as the truth would have had at the pace of this run. Those that were counted on the line would not do:
        # the fewer were found there, the more would be allowed.
        truth = sum(stretches)
        samples = truth / Burned.weight(report)
        seen = with_interrupts(cells.seconds(*ON_CPU), truth, report.process.clock, cells.samples(*ON_CPU))
        whole = report.merged.totals.seconds(*ON_CPU)
        ticks = math.sqrt(tick_variance(report.process.clock, cells, whole)) / truth
        if seen < truth:
            seen = min(truth, seen + missing)
        return Ratio(name, 1.0, seen / truth, samples, 2 * len(stretches) * threads, ticks)


def _part(seconds, cells):
    whole = cells.seconds(*ON_CPU)
    return seconds / whole if whole else 0.0
