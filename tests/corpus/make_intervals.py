#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes intervals.json: 95 % intervals from their definitions in docs/internals, by bisection.

Neither program solves for them like this, so that a mistake in a formula is none in both. With
--check, says whether the file is as it would be written.
"""

import argparse
import decimal
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).with_name("intervals.json")
decimal.getcontext().prec = 60
Z = decimal.Decimal("1.959963984540054235524594430520551527950555")
STEPS = 180  # of bisection: each halves what is left


def root(function, low, high):
    """Where a function becomes positive between two numbers."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) > 0 else (middle, high)
    return low


def around(estimate, distance, lowest, highest):
    """Both solutions of a distance of 0, one on each side of the estimate, where it is negative."""
    return root(lambda x: -distance(x), lowest, estimate), root(distance, estimate, highest)


def share(part, whole):
    """The shares p0 with (p - p0)^2 = z^2 p0 (1 - p0) / n, of the whole; n as sampling-math.md says."""
    total, squares = (decimal.Decimal(value) for value in part)
    all_total, all_squares = (decimal.Decimal(value) for value in whole)
    p = total / all_total
    n = all_total**2 / all_squares
    variance = ((1 - p) ** 2 * squares + p**2 * (all_squares - squares)) / all_total**2
    if variance > 0 and p * (1 - p) > 0:
        n = min(n, p * (1 - p) / variance)
    ends = around(p, lambda x: (p - x) ** 2 - Z**2 * x * (1 - x) / n, decimal.Decimal(0), decimal.Decimal(1))
    return [end * all_total for end in ends]


def amount(number, variance, pieces):
    """The amounts m with (B - m)^2 = z^2 w m, where w = V / B, of what memory-math.md calls V."""
    number, variance, pieces = (decimal.Decimal(value) for value in (number, variance, pieces))
    if variance == 0:
        return [number, number]
    own = variance * (1 - variance / pieces) if pieces else variance
    # The two ends of a sum of whole pieces.
    own = max(own, min(variance, (variance / number) ** 2 / 3))
    weight = own / number
    return around(number, lambda x: (number - x) ** 2 - Z**2 * weight * x, decimal.Decimal(0), number + 100 * Z * own.sqrt() + 100 * weight)


def difference(a, b):
    """Newcombe's: each end is as far off as the two that make it farthest, together."""
    a, b = ([decimal.Decimal(value) for value in side] for side in (a, b))
    gap = a[0] - b[0]
    below = ((a[0] - a[1]) ** 2 + (b[2] - b[0]) ** 2).sqrt()
    above = ((a[2] - a[0]) ** 2 + (b[0] - b[1]) ** 2).sqrt()
    return [gap - below, gap + above]


def equal(samples, weight=10):
    return [samples * weight, samples * weight**2]


SHARES = [
    (equal(50), equal(100)),
    (equal(0), equal(100)),
    (equal(1), equal(100)),
    (equal(99), equal(100)),
    (equal(100), equal(100)),
    (equal(1), equal(1)),
    (equal(3), equal(1000)),
    (equal(5000, 10**7), equal(10000, 10**7)),  # ten milliseconds each, in nanoseconds
    ([500, 500**2], [1000, 500**2 + 50 * 100]),  # one is as heavy as the rest together
    ([500, 50 * 100], [1000, 500**2 + 50 * 100]),  # the rest is one
    ([30, 300], [100, 500]),
    ([70, 200], [100, 500]),
    ([4 * 10**15, 4 * 10**22], [10**16, 10**23]),
]
KIB2 = 1024**2
AMOUNTS = [
    (65536, 65536**2, 0),  # one sample
    (100 * 65536, 100 * 65536**2, 0),
    (512 << 20, 0, 0),  # seen as a whole
    (512 << 20, 7 * KIB2, 0),
    (100 * 65536, 100 * 65536**2, 400 * 65536**2),  # a quarter of all, one mark in each piece
    (100 * 65536, 100 * 65536**2, 100 * 65536**2),  # all: known to a piece
    (3 * 65536, 3 * 65536**2, 4 * 65536**2),
    (65536, 65536**2, 65536**2),
    (10**12, 10**20, 10**21),
]
DIFFERENCES = [
    ((0.8, 0.7, 0.88), (0.6, 0.5, 0.7)),
    ((0, 0, 3.8), (10, 8, 13)),
    ((5, 5, 5), (5, 5, 5)),
    ((1000, 900, 1200), (1000, 1000, 1000)),
    ((10, 8, 13), (0, 0, 3.8)),
]


def corpus():
    ends = lambda low, high: {"low": float(low), "high": float(high)}
    return {
        "shares": [{"part": part, "whole": whole, **ends(*share(part, whole))} for part, whole in SHARES],
        "bytes": [
            {"bytes": number, "variance": variance, "pieces": pieces, **ends(*amount(number, variance, pieces))}
            for number, variance, pieces in AMOUNTS
        ],
        "differences": [{"of": a, "and": b, **ends(*difference(a, b))} for a, b in DIFFERENCES],
    }


def text():
    parts = (
        f'  "{name}": [\n' + ",\n".join("    " + json.dumps(case) for case in cases) + "\n  ]"
        for name, cases in corpus().items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs")
    if parser.parse_args().check:
        return 0 if FILE.read_text() == text() else 1
    FILE.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
