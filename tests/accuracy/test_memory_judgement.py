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
    """One run of the sampler over `count` blocks: each that is drawn stands for 1 / p of them."""
    probability = 1.0 if block >= CERTAIN * INTERVAL else -math.expm1(-block / INTERVAL)
    return sum(rng.random() < probability for _ in range(count)) * block / probability


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
    for block, count in ((73, 100_000), (5000, 2000), (30_000, 500), (MIB, 50)):
        runs = [estimate(rng, block, count) for _ in range(60)]
        expected = finding(block * count, 0, block).deviation
        assert abs(statistics.mean(runs) - block * count) <= 4.5 * expected / math.sqrt(len(runs))
        assert 0.7 * expected <= statistics.pstdev(runs) <= 1.35 * expected
