# SPDX-License-Identifier: Apache-2.0
"""Compares what a report says about the memory of lines with what their program knows.

Each piece of `interval` allocated bytes has one mark, and each mark stands for the piece (docs/internals/memory-math.md). A sum
of S bytes has the relative standard error sqrt(interval / S) at most, if its blocks are small and few beside others; less if
they are longer, and none if all of that size are recorded.
"""

import math
from dataclasses import dataclass

from pyrometer_tool import marks

# As for time: one finding in 150 000 may be farther off by chance.
DEVIATIONS = 4.5
# What a line allocates beside its blocks: frames, numbers, a lock now and then.
BESIDE_BYTES = 300_000
CERTAIN = 4  # intervals long
# Copies have an interval of their own, which --mem-interval does not change.
COPY_INTERVAL = 1 << 20


@dataclass(frozen=True)
class Finding:
    """`part` is the relative error that is allowed beside chance."""

    mark: str
    figure: str
    truth: float
    seen: float
    block: float
    interval: float
    part: float

    @property
    def deviation(self):
        """Standard deviation of what is seen, in bytes, for the given truth, of blocks that lie far from each other."""
        if self.block >= CERTAIN * self.interval or not self.truth:
            return 0.0
        pieces = self.block / self.interval
        scatter = 1 - pieces + pieces**2 / 3 if pieces <= 1 else 1 / (3 * pieces)
        return math.sqrt(self.truth * self.interval * scatter)

    @property
    def tolerance(self):
        return self.part * self.truth + BESIDE_BYTES + DEVIATIONS * self.deviation

    def __str__(self):
        return (
            f"{self.mark} {self.figure}: {self.seen / 1e6:.2f} MB, true {self.truth / 1e6:.2f} MB, "
            f"allowed +-{self.tolerance / 1e6:.2f} MB"
        )


def judge(script, truths, process, interval, part):
    """Findings on all `truths` of a program: (mark, figure, bytes, bytes of a block)."""
    numbers = marks(script)

    def finding(mark, figure, truth, block):
        seen = process.memory(script, numbers[mark]).bytes(figure)
        between = COPY_INTERVAL if figure == "copied" else interval
        return Finding(mark, figure, truth, seen, block, between, part)

    return [finding(*truth) for truth in truths]


def wrong(findings):
    return [str(finding) for finding in findings if abs(finding.seen - finding.truth) > finding.tolerance]
