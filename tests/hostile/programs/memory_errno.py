# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_ALLOCATION_CALLS
"""Requests that fail say so as ever, and those that succeed leave errno alone."""
import ctypes
import os

calls = ctypes.CDLL(os.environ["HOSTILE_ALLOCATION_CALLS"])
size = ctypes.c_size_t
HUGE = 1 << 62
print(calls.ErrnoOfMalloc(size(HUGE)), calls.ErrnoOfMalloc(size(-1)), calls.ErrnoOfMalloc(size((1 << 63) - 1)))
print(calls.ErrnoOfCalloc(size(1 << 40), size(1 << 40)), calls.ErrnoOfCalloc(size(1), size(HUGE)))
print(calls.ErrnoOfRealloc(size(HUGE)), calls.ErrnoOfRealloc(size(-1)))
print(calls.ErrnoOfReallocarray(size(1 << 40), size(1 << 40)), calls.ErrnoOfReallocarray(size(1), size(HUGE)))
for alignment, count in ((3, 10), (0, 10), (4, 10), (8, 10), (4096, HUGE)):
    print(alignment, calls.AnswerOfPosixMemalign(size(alignment), size(count)))
print(calls.ErrnoAfterSuccess(size(100), 20000), calls.ErrnoAfterSuccess(size(1 << 20), 20))
for make in (bytearray, lambda count: "x" * count, lambda count: [None] * (count // 8)):
    try:
        make(HUGE)
    except MemoryError as error:
        print(repr(error))
