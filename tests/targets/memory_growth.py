# SPDX-License-Identifier: Apache-2.0
"""One line leaks; others hold, warm up, cache and churn, about 60 MB in all. argv: seconds, leaked bytes a second.

Prints the bytes that have leaked and the seconds that it took.
"""
import collections
import json
import random
import sys
import time

TICK = 0.01
KIB = 1024
everyone = []  # as long as the interpreter: what is dropped at the end of main() would be no leak


class Holder:
    """Memory that is there from the beginning to the end, by design."""

    def __init__(self):
        self.blocks = [bytes(10 * KIB) for _ in range(3000)]  # mark: held

    def tick(self):
        pass


class WarmUp:
    """Grows in the first part of the run and stays."""

    def __init__(self, ticks):
        self.left = ticks // 5
        self.each = 10_000_000 // self.left
        self.blocks = []

    def tick(self):
        if self.left > 0:
            self.left -= 1
            self.blocks.append(bytes(self.each))  # mark: warm_up


class Cache:
    """Fills up and is cleared, again and again."""

    def __init__(self, ticks):
        self.most = max(10, ticks // 25)
        self.each = 10_000_000 // self.most
        self.entries = {}

    def tick(self):
        self.entries[len(self.entries)] = bytes(self.each)  # mark: cache
        if len(self.entries) >= self.most:
            self.entries.clear()


class Churn:
    """Objects of random lifetimes, 10 MB of them on average."""

    def __init__(self):
        self.rng = random.Random(5)
        self.blocks = [None] * 1000

    def tick(self):
        for _ in range(20):
            self.blocks[self.rng.randrange(1000)] = bytes(self.rng.randrange(20 * KIB))  # mark: churn


class Recent:
    """The last ones only."""

    def __init__(self):
        self.blocks = collections.deque(maxlen=100)

    def tick(self):
        self.blocks.append(bytes(20 * KIB))  # mark: recent


class Leak:
    def __init__(self, per_second):
        self.each, self.owed = KIB, 0.0
        self.per_tick = per_second * TICK
        self.blocks = []

    def tick(self):
        self.owed += self.per_tick
        while self.owed >= self.each:
            self.owed -= self.each
            self.blocks.append(bytes(self.each))  # mark: leak


def main(seconds, leaked_per_second):
    ticks = int(seconds / TICK)
    leak = Leak(leaked_per_second)
    everyone.extend([WarmUp(ticks), Cache(ticks), Churn(), Recent(), Holder(), leak])
    start = time.monotonic()
    for number in range(ticks):
        for one in everyone:
            one.tick()
        time.sleep(max(0.0, start + (number + 1) * TICK - time.monotonic()))
    took = time.monotonic() - start
    print(json.dumps({"leaked": len(leak.blocks) * sys.getsizeof(leak.blocks[0]), "seconds": took}))


main(float(sys.argv[1]), float(sys.argv[2]))
