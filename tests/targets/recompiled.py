# SPDX-License-Identifier: Apache-2.0
"""Functions that are compiled, run once and dropped, so that the next one's code object takes the place of the last.

argv: truth file, CPU seconds.
"""
import random
import sys

from truth import Truth

LOOPS = {"def alpha(n):": 25000, "def gamma(n):": 50000, "def delta(n):": 100000}
BODY = """
    x = 1
    for i in range(n):
        x = (x * 31 + i) & 0xFFFF
    return x
"""


def compiled(head):
    space = {}
    exec(compile(head + BODY, __file__, "exec"), space)
    return space.pop(head[4:9])


def main(path, seconds):
    rng = random.Random(7)
    truth = Truth()
    phases = {head: truth.phase(head[4:9]) for head in LOOPS}
    places = set()
    while sum(phase.cpu_ns for phase in phases.values()) < seconds * 1e9:
        head = rng.choice(list(LOOPS))
        work = compiled(head)
        places.add(id(work.__code__))
        with phases[head]:
            work(rng.randrange(LOOPS[head], LOOPS[head] * 2))
        del work
    assert len(places) < 20, "the code objects do not take each other's place"
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
