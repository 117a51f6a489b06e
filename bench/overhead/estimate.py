# SPDX-License-Identifier: Apache-2.0
"""Medians of pairs with a 95 % interval."""

import random
import statistics
from typing import NamedTuple, Optional

RESAMPLES = 2000
SEED = 17


class Estimate(NamedTuple):
    median: float
    low: Optional[float] = None
    high: Optional[float] = None

    def text(self, digits=3):
        if self.low is None:
            return f"{self.median:.{digits}f}"
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def median_of(values):
    """The median and its percentile bootstrap; no interval for fewer than 5 values, which cannot carry one."""
    values = list(values)
    middle = statistics.median(values)
    if len(values) < 5:
        return Estimate(middle)
    rng = random.Random(SEED)
    medians = sorted(statistics.median(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return Estimate(middle, medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1])
