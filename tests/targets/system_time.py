# SPDX-License-Identifier: Apache-2.0
"""A read loop that is almost all system time, beside a Python loop. argv: truth file, CPU seconds."""
import random
import sys

from truth import Truth

BUFFER = bytearray(1 << 20)


def reading(device):
    for _ in range(4): device.readinto(BUFFER)  # mark: read


def looping():
    x = 1
    for i in range(9000): x = (x * 31 + i) & 0xFFFF  # mark: loop


def main(path, seconds):
    rng = random.Random(11)
    truth = Truth()
    read, loop = truth.phase("read"), truth.phase("loop")
    with open("/dev/zero", "rb", buffering=0) as device:
        while read.cpu_ns + loop.cpu_ns < seconds * 1e9:
            goal = rng.randrange(3, 30) * 1e6
            read.until(1.5 * loop.cpu_ns + goal, lambda: reading(device))
            loop.until(read.cpu_ns / 1.5, looping)
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
