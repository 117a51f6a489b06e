# SPDX-License-Identifier: Apache-2.0
"""30 % of the CPU time is bytecode, 70 % is in four C functions. argv: truth file, CPU seconds."""
import hashlib
import random
import sys
import zlib

from truth import Truth

STEPS = 40
SHARES = {"python": 0.3, "sum": 0.2, "sort": 0.2, "hash": 0.15, "deflate": 0.15}

rng = random.Random(3)
NUMBERS = [rng.random() for _ in range(4000)]
BYTES = bytes(rng.randrange(64) for _ in range(1 << 15))
BLOCK = BYTES * 8


def loop():
    x = 1
    for i in range(9000): x = (x * 31 + i) & 0xFFFF  # mark: python
    return x


def summing():
    return sum(range(40000))  # mark: sum


def sorting():
    return sorted(NUMBERS)  # mark: sort


def hashing():
    return hashlib.sha256(BLOCK).digest()  # mark: hash


def deflating():
    return zlib.compress(BYTES, 4)  # mark: deflate


def main(path, seconds):
    truth = Truth()
    work = dict(python=loop, sum=summing, sort=sorting, hash=hashing, deflate=deflating)
    phases = {name: truth.phase(name) for name in work}
    for step in range(1, STEPS + 1):
        # A different order and length each time, so that no timer can run in step with it.
        goal = seconds * 1e9 * (step - rng.random() / 2) / STEPS
        for name in rng.sample(sorted(work), len(work)):
            phases[name].until(SHARES[name] * goal, work[name])
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
