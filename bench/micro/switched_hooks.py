# SPDX-License-Identifier: Apache-2.0
"""The program of object_hooks: prints the offsets of pymalloc's functions, or with them, what the hooks cost."""

import ctypes
import random
import statistics
import sys
import time


class Allocator(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("context", "malloc", "calloc", "realloc", "free")]


OBJECTS = (1, 2)  # the domains PYMEM_DOMAIN_MEM and PYMEM_DOMAIN_OBJ


def current():
    found = Allocator()
    ctypes.pythonapi.PyMem_GetAllocator(OBJECTS[-1], ctypes.byref(found))
    return found


def use(allocator):
    for domain in OBJECTS:
        ctypes.pythonapi.PyMem_SetAllocator(domain, ctypes.byref(allocator))


def integers():
    return sum(i * i & 3 for i in range(5_000))


def lists():
    return [[None] * 4 for _ in range(3_000)]


class Point:
    def __init__(self):
        self.x, self.y = 1, 2


def instances():
    for _ in range(2_000):
        Point()


def texts():
    return [str(i) for i in range(3_000)]


def timed(program):
    start = time.thread_time_ns()
    program()
    program()
    return time.thread_time_ns() - start


def middle(times):
    """Without what disturbances have added, and without the luckiest."""
    return statistics.fmean(sorted(times)[len(times) // 10 : len(times) // 2])


def main():
    hooked = current()
    if len(sys.argv) == 1:
        print(*(getattr(hooked, name) - hooked.free for name in ("malloc", "calloc", "realloc")))
        return
    rounds, *offsets = map(int, sys.argv[1:])
    bare = Allocator(None, *(hooked.free + offset for offset in offsets), hooked.free)
    if hooked.malloc == bare.malloc:
        sys.exit("there are no hooks")
    # The second of the bare ones says how exact it is.
    ways = {"hooks": hooked, "bare": bare, "bare again": bare}
    for program in (integers, lists, instances, texts):
        times = {name: [] for name in ways}
        for _ in range(rounds):
            for name in random.sample(sorted(ways), len(ways)):
                use(ways[name])
                program()
                times[name].append(timed(program))
        use(hooked)
        base = middle(times["bare"])
        print(f"{program.__name__:<12}{middle(times['hooks']) / base:.4f}   (bare again: {middle(times['bare again']) / base:.4f})")


if __name__ == "__main__":
    main()
