# SPDX-License-Identifier: Apache-2.0
"""Two neighbouring lines of one function, one with 20 times the work. argv: truth file, CPU seconds."""
import random
import sys

from truth import Truth


def work(heavy, light, n):
    x = 1
    with heavy:
        for i in range(20 * n): x = (x * 31 + i) & 0xFFFF  # mark: heavy
    with light:
        for i in range(n): x = (x * 31 + i) & 0xFFFF  # mark: light
    return x


def main(path, seconds):
    rng = random.Random(5)
    truth = Truth()
    heavy, light = truth.phase("heavy"), truth.phase("light")
    while heavy.cpu_ns + light.cpu_ns < seconds * 1e9:
        work(heavy, light, rng.randrange(2000, 30000))
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
