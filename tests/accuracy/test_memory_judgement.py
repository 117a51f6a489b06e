# SPDX-License-Identifier: Apache-2.0
"""The judgement of memory itself: true figures pass, wrong ones do not, and its spread is that of the sampling."""

import math
import random
import statistics

from memory_judgement import CERTAIN, Finding, wrong

INTERVAL = 16 << 10
MIB = 1 << 20


def finding(truth, seen, block, part=0.01):
    return Finding("line", "allocated", truth, seen, block, INTERVAL, part)


def estimate(rng, block, count):
    """One run of the sampler over `count` blocks far from each other: each mark in them stands for a piece."""
    if block >= CERTAIN * INTERVAL:
        return block * count
    return sum(marks(rng, block) for _ in range(count)) * INTERVAL


def marks(rng, block):
    """How many lie in a block somewhere among pieces."""
    begin = rng.random() * INTERVAL
    places = ((number + rng.random()) * INTERVAL for number in range(int((begin + block) // INTERVAL) + 1))
    return sum(begin <= place < begin + block for place in places)


def test_large_blocks_have_one_percent():
    assert not wrong([finding(512 * MIB, 509 * MIB, 512 * MIB)])
    assert wrong([finding(512 * MIB, 500 * MIB, 512 * MIB)])
    assert wrong([finding(512 * MIB, 1024 * MIB, 512 * MIB)])


def test_small_blocks_have_what_chance_needs_and_no_more():
    assert not wrong([finding(200 * MIB, 209 * MIB, 73, 0.05)])
    assert wrong([finding(200 * MIB, 225 * MIB, 73, 0.05)])


def test_what_is_gone_must_be_gone():
    assert not wrong([finding(0, 70_000, MIB)])
    assert wrong([finding(0, MIB, MIB)])


def test_deviation_is_that_of_the_sampling():
    rng = random.Random(3)
    for block, count in ((73, 20_000), (5000, 1000), (30_000, 300), (MIB, 50)):
        runs = [estimate(rng, block, count) for _ in range(60)]
        expected = finding(block * count, 0, block).deviation
        assert abs(statistics.mean(runs) - block * count) <= 4.5 * expected / math.sqrt(len(runs))
        assert 0.65 * expected <= statistics.pstdev(runs) <= 1.4 * expected
