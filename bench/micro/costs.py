# SPDX-License-Identifier: Apache-2.0
"""The measured program of ./allocations: prints nanoseconds of each call, and rates by threads, as JSON.

argv: library of allocation_costs.c, seconds for each figure (about).
"""

import ctypes
import gc
import itertools
import json
import sys
import threading
import time

PAIR_BYTES = (16, 64, 256, 1024, 4096)
COPY_BYTES = (16, 64, 4096)
THREADS = (1, 2, 4, 8, 16)
ROUNDS = 9


def object_pairs(count):
    """One object of 73 bytes made and dropped each time; the loop itself makes none."""
    for _ in itertools.repeat(None, count):
        bytes(40)


def list_pairs(count):
    """A list and its items: an object and a block of the memory domain."""
    for _ in itertools.repeat(None, count):
        [None] * 20


def large_pairs(count):
    """Beyond the small objects: malloc below the interpreter's own allocator."""
    for _ in itertools.repeat(None, count):
        bytes(2000)


OBJECTS = {"bytes(40)": object_pairs, "[None] * 20": list_pairs, "bytes(2000)": large_pairs}


def best_ns(work, count):
    """As the C side: the least of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        work(count)
        best = min(best, (time.perf_counter_ns() - start) / count)
    return best


def together(threads, count):
    """Objects of all threads, a second: meaningful where threads run at the same time."""
    best = 0.0
    for _ in range(3):
        barrier, times = threading.Barrier(threads), []

        def run():
            barrier.wait()
            start = time.perf_counter()
            object_pairs(count)
            times.append((start, time.perf_counter()))

        running = [threading.Thread(target=run) for _ in range(threads)]
        for one in running:
            one.start()
        for one in running:
            one.join()
        best = max(best, threads * count / (max(end for _, end in times) - min(start for start, _ in times)))
    return best


def main(library, seconds):
    calls = ctypes.CDLL(library)
    size = ctypes.c_size_t
    for name in ("PairNs", "CopyNs", "PairsPerSecond"):
        getattr(calls, name).restype = ctypes.c_double

    def count_for(ns):
        return ctypes.c_long(max(1000, int(1e9 * seconds / ROUNDS / ns)))

    gc.disable()
    found = {}
    for bytes_ in PAIR_BYTES:
        found[f"malloc + free, {bytes_} B"] = calls.PairNs(size(bytes_), count_for(20))
    for bytes_ in COPY_BYTES:
        found[f"memcpy, {bytes_} B"] = calls.CopyNs(size(bytes_), count_for(5 + bytes_ / 20))
    for name, work in OBJECTS.items():
        found[name] = best_ns(work, count_for(60).value)
    rates = {}
    for threads in THREADS:
        each = ctypes.c_long(max(1000, count_for(20).value // threads))
        rates[f"malloc + free, threads: {threads}"] = calls.PairsPerSecond(threads, size(64), each)
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        for threads in THREADS:
            rates[f"bytes(40), threads: {threads}"] = together(threads, max(1000, count_for(60).value // threads))
    print(json.dumps({"ns": found, "rates": rates}))


main(sys.argv[1], float(sys.argv[2]))
