# SPDX-License-Identifier: Apache-2.0
"""Allocates and frees all the time, in two threads. argv: seconds. Prints the bytes of blocks that are in use at the end."""
import random
import sys
import threading
import time

SLOTS = 20_000
held = [bytearray()] * SLOTS


def churn(seed, mine, until):
    rng = random.Random(seed)
    while time.monotonic() < until:
        for _ in range(1000):
            slot = rng.choice(mine)
            held[slot] = bytearray(rng.randrange(10_000))  # mark: block
        [str(number) for number in range(5000)]


def main(seconds):
    until = time.monotonic() + seconds
    halves = range(0, SLOTS, 2), range(1, SLOTS, 2)
    threads = [threading.Thread(target=churn, args=(seed, half, until)) for seed, half in enumerate(halves)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A bytearray has one byte more than it says.
    print(sum(len(block) + 1 for block in held))


main(float(sys.argv[1]))
