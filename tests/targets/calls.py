# SPDX-License-Identifier: Apache-2.0
"""Equal CPU time inline and behind many small calls. argv: truth file, CPU seconds."""
import random
import sys

from truth import Truth


def step(x, i):
    return (x * 31 + i) & 0xFFFF


def inline(n):
    x = 1
    for i in range(n):
        x = (x * 31 + i) & 0xFFFF
        x = (x * 31 + i) & 0xFFFF
    return x


def called(n):
    x = 1
    for i in range(n):
        x = step(x, i)
        x = step(x, i)
    return x


def main(path, seconds):
    rng = random.Random(7)
    truth = Truth()
    phases = [(truth.phase("inline"), inline, 80000), (truth.phase("called"), called, 40000)]
    while sum(phase.cpu_ns for phase, _, _ in phases) < seconds * 1e9:
        # Whoever is behind works next: both end with the same CPU time.
        phase, function, n = min(phases, key=lambda entry: entry[0].cpu_ns)
        with phase:
            function(rng.randrange(n // 2, n))
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
