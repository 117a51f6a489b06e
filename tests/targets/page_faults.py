# SPDX-License-Identifier: Apache-2.0
"""First touches of fresh memory, which are system time without a system call, beside a Python loop.

argv: truth file, CPU seconds.
"""
import mmap
import random
import sys

from truth import Truth

PAGES = 16384
TEXT = b"x" * PAGES


def touching(fresh):
    fresh[::4096] = TEXT  # mark: touch


def looping():
    x = 1
    for i in range(9000): x = (x * 31 + i) & 0xFFFF  # mark: loop


def main(path, seconds):
    rng = random.Random(11)
    truth = Truth()
    touch, loop = truth.phase("touch"), truth.phase("loop")
    while touch.cpu_ns + loop.cpu_ns < seconds * 1e9:
        goal = rng.randrange(10, 60) * 1e6
        while touch.cpu_ns < 1.5 * loop.cpu_ns + goal:
            with mmap.mmap(-1, PAGES * 4096) as fresh:
                with touch:
                    touching(fresh)
        loop.until(touch.cpu_ns / 1.5, looping)
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
