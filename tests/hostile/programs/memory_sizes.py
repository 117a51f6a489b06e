# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_ALLOCATION_CALLS
"""Alignment, usable size and heap use of every way to ask for memory: no block has anything in front of it or behind it."""
import ctypes
import os

calls = ctypes.CDLL(os.environ["HOSTILE_ALLOCATION_CALLS"])
calls.UsableBytes.restype = calls.AddedToHeap.restype = ctypes.c_size_t
WAYS = "malloc calloc realloc reallocarray posix_memalign aligned_alloc memalign valloc pvalloc".split()
size = ctypes.c_size_t


def alignments(way):
    if way in ("valloc", "pvalloc"):
        return [4096]
    return [16, 64, 4096, 1 << 16] if "align" in way else [16]


for number, way in enumerate(WAYS):
    for alignment in alignments(way):
        # The least of many: a single block may be longer than asked for because of what was free beside it.
        found = [
            calls.UsableBytes(number, size(alignment), size(bytes_), 64 if bytes_ < 10000 else 4)
            for bytes_ in (1, 24, 25, 1000, 4096, 100000, 1 << 20)
        ]
        print(way, alignment, found if way in ("malloc", "calloc", "realloc", "reallocarray") else 0 not in found)
print([round(calls.AddedToHeap(size(bytes_), 20000) / 20000) for bytes_ in (8, 24, 100, 1000)])
