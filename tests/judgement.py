# SPDX-License-Identifier: Apache-2.0
"""Compares a profile with what the program measured about itself."""

import math
from dataclasses import dataclass, replace
from typing import Optional

from pyrometer_tool import marks
from report_json import ALL, ON_CPU

POINTS = 0.02
SIGMAS = 4.5
PERF_SAMPLE_SECONDS = 40e-6  # interrupt and signal of one, docs/design/0002-clocks.md
TICK_SECONDS = 0.004
START_UP_SECONDS = 0.06  # what the interpreter may use before the first sample, and after the truth is written


@dataclass(frozen=True)
class Finding:
    """One share: what the program says, what the profile says, and how much they may differ."""

    cell: str
    truth: float
    seen: float
    samples: int
    borders: Optional[int] = None  # of the blocks that the share is made of; None: of countless small ones
    ticks: float = 0.0  # standard deviation of what is known by the kernel's ticks only: see tick_variance()
    unknown: float = 0.0  # what the profile says that it does not know

    @property
    def error(self):
        return self.seen - self.truth

    @property
    def spread(self):
        """The part of the tolerance that is due to sampling."""
        samples = max(self.samples, 1)
        # A share near 0 or 1 still varies by a sample or two.
        p = min(max(self.truth, 1 / samples), 1 - 1 / samples)
        spread = SIGMAS * math.sqrt(max(0.0, p * (1 - p)) / samples)
        if self.borders is not None:
            # Where a block begins and ends is known to within a sample on either side.
            at_borders = SIGMAS * math.sqrt(self.borders / 3) / samples
            # The whole is no share that varies by chance: only its borders do.
            spread = at_borders if self.truth >= 1 else min(spread, at_borders)
        return math.hypot(spread, SIGMAS * self.ticks)

    @property
    def tolerance(self):
        return POINTS + self.spread + self.unknown

    def __str__(self):
        return (
            f"{self.cell:<22} truth {self.truth:7.2%}  seen {self.seen:7.2%}  error {self.error:+7.2%}"
            f"  allowed {self.tolerance:6.2%}  samples {self.samples}"
        )


def judge(case, truth, process, unpolled=0.0):
    """All findings of one run: shares of CPU, shares of waits, and both sums against the clocks. `unpolled`: Report.unpolled."""
    phases = truth["phases"]
    findings = []
    if case.cpu:
        times = {mark: phases[mark]["cpu"] for mark in case.cpu}
        findings += _shares(case, "cpu", times, case.cpu, ON_CPU, process)
        findings.append(_process_total(truth, process))
        findings.append(_system_share(truth, process))
    waits = {mark: kinds for mark, kinds in case.waits.items() if truth["gil"] or "gil_wait" not in kinds}
    if waits:
        times = {mark: phases[mark]["wait"] for mark in waits}
        of_waits = _shares(case, "wait", times, waits, _wait_kinds(waits), process)
        of_waits.append(_wait_total(case, times, waits, process))
        findings += [replace(one, unknown=unpolled / sum(times.values())) for one in of_waits]
    return findings


def _wait_kinds(waits):
    # Waiting for a CPU depends on the machine; it counts only where the truth has it too.
    contended = any("run_queue" in kinds for kinds in waits.values())
    return [name for name in ALL if name not in ON_CPU and (contended or name != "run_queue")]


def wrong(findings):
    return [str(finding) for finding in findings if abs(finding.error) > finding.tolerance]


def _cells(case, mark, process):
    if case.functions:
        return process.function(case.path, mark)
    return process.lines(case.path, marks(case.path)[mark])


def _shares(case, kind, times, expected, all_kinds, process):
    # Time in an unexpected activity counts in the whole but not in the cell, so it shows as an error.
    cells = {mark: _cells(case, mark, process) for mark in times}
    whole = sum(cell.seconds(*all_kinds) for cell in cells.values())
    samples = sum(cell.samples(*all_kinds) for cell in cells.values())
    truth = sum(times.values())
    all_cpu = process.totals.seconds(*ON_CPU)
    ticks = {mark: tick_variance(process.clock, cell, all_cpu) for mark, cell in cells.items()}
    return [
        Finding(
            f"{kind} {mark}",
            time / truth,
            cells[mark].seconds(*expected[mark]) / whole if whole else 0.0,
            samples,
            2 if case.blocks else None,
            _share_deviation(time / truth, ticks[mark], sum(ticks.values())) / whole if whole and kind == "cpu" else 0.0,
        )
        for mark, time in times.items()
    ]


def _share_deviation(share, variance, all_variances):
    return math.sqrt((1 - share) ** 2 * variance + share**2 * (all_variances - variance))


def tick_variance(clock, cells, whole):
    """Of the kernel's part of `cells`, in seconds squared, in a run of `whole` CPU seconds. perf's own samples leave the
    kernel out: it is known by ticks, each of which stands for all of the time since the one before; on a busy machine
    that is more than one tick, because many are someone else's."""
    if clock != "perf":
        return 0.0
    ticks, seconds = cells.samples("kernel"), cells.seconds("kernel")
    weight = max(seconds / ticks if ticks else 0.0, TICK_SECONDS)
    return max(ticks * (1 - seconds / whole), 1) * weight**2


def with_interrupts(seen, true, clock, samples):
    """`seen` seconds, and those that perf's interrupts took, as far as they are missing: the kernel counts an interrupt
    as time of the thread that it met; the profile does not."""
    if clock != "perf" or seen >= true:
        return seen
    return min(true, seen + samples * PERF_SAMPLE_SECONDS)


def _process_total(truth, process):
    clock = truth["process_cpu"]
    slack = START_UP_SECONDS / clock
    cpu, samples = (getattr(process.totals, what)(*ON_CPU) for what in ("seconds", "samples"))
    seen = with_interrupts(cpu, clock, process.clock, samples) / clock
    # Within the slack the two agree; beyond it the usual 2 points are left.
    error = math.copysign(max(0.0, abs(seen - 1) - slack), seen - 1)
    ticks = math.sqrt(tick_variance(process.clock, process.totals, cpu)) / clock
    return Finding("cpu of the process", 1.0, 1.0 + error, samples, 1, ticks)


def _system_share(truth, process):
    whole = process.totals.seconds(*ON_CPU)
    kernel, true = process.totals.seconds("kernel"), truth["process_system"] / truth["process_cpu"]
    samples = process.totals.samples(*ON_CPU)
    seen = with_interrupts(kernel, true * whole, process.clock, samples) / whole if whole else 0.0
    ticks = math.sqrt(tick_variance(process.clock, process.totals, whole)) / whole if whole else 0.0
    return Finding("system share", true, seen, samples, ticks=ticks)


def _wait_total(case, times, expected, process):
    cells = {mark: _cells(case, mark, process) for mark in times}
    samples = sum(cells[mark].samples(*expected[mark]) for mark in times)
    seen = sum(cells[mark].seconds(*expected[mark]) for mark in times)
    ratio = seen / sum(times.values())
    # A sum has no share of its own: half of it is the case with the largest spread.
    return Finding("wait of the lines", 0.5, ratio / 2, samples, 2 * len(times) if case.blocks else None)
