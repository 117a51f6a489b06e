# SPDX-License-Identifier: Apache-2.0
"""Lines whose memory is known. argv: case, and what it takes. Prints, as JSON, what the marked lines must show.

A truth is (mark, figure, bytes, size of a block): allocated, live_at_peak, live_at_exit or copied bytes of the lines with that
mark, made in blocks of one size, or of about that size. What is live is what was written: `bytearray(n)` is,
"""
import ctypes
import itertools
import json
import mmap
import os
import queue
import sys
import threading
import time

MIB = 1 << 20
PAGE = 4096
held = []


def write(mapping, begin, end):
    """Takes the pages of a part of a mapping."""
    for page in range(begin, end, PAGE): mapping[page] = 1


def c_library():
    """With mmap and mprotect as they are declared."""
    libc = ctypes.CDLL(None)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    libc.mmap.restype = pointer
    libc.mmap.argtypes = [pointer, size, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.mprotect.argtypes = [pointer, size, ctypes.c_int]
    return libc, pointer, size


def big():
    held.append(bytearray(512 * MIB))  # mark: big
    return [("big", figure, 512 * MIB, 512 * MIB) for figure in ("allocated", "live_at_peak", "live_at_exit")]


def small():
    """200 MB in objects of 73 bytes, and the list that has them."""
    count = 2_600_000
    kept = list(map(bytes, itertools.repeat(40, count)))  # mark: small
    held.append(kept)
    objects, table = count * sys.getsizeof(kept[0]), sys.getsizeof(kept)
    return [("small", figure, objects + table, sys.getsizeof(kept[0])) for figure in ("live_at_peak", "live_at_exit")]


def churn():
    """Objects that die at once: nothing of them is ever live. Their lengths are small integers, which are not made."""
    count = 600_000
    sum(map(len, map(bytes, itertools.repeat(200, count))))  # mark: churn
    size = sys.getsizeof(bytes(200))
    return [("churn", "allocated", count * size, size), ("churn", "live_at_exit", 0, size)]


def append():
    """`s += t`: each step asks for the whole again, in place or not."""
    part, count = "t" * 100_000, 120
    s = ""
    for _ in range(count): s += part  # mark: append
    held.append(s)
    steps = sum(len(part) * number for number in range(1, count + 1))
    return [("append", "allocated", steps, len(part)), ("append", "live_at_exit", len(s), len(s))]


def sawtooth():
    """Fills up to 50 MB and lets go, twenty times."""
    for _ in range(20):
        teeth = [bytearray(MIB) for _ in range(50)]  # mark: sawtooth
        del teeth
    return [("sawtooth", "allocated", 1000 * MIB, MIB), ("sawtooth", "peak", 50 * MIB, MIB), ("sawtooth", "live_at_exit", 0, MIB)]


def realloc():
    """Native growth to 256 MB, all of which is written then."""
    libc = ctypes.CDLL(None)
    libc.realloc.restype = ctypes.c_void_p
    libc.realloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    block, sizes = None, [number * 16 * MIB for number in range(1, 17)]
    for size in sizes:
        block = libc.realloc(block, size)  # mark: realloc
    ctypes.memset(block, 1, sizes[-1])
    time.sleep(0.05)
    return [
        ("realloc", "allocated", sum(sizes), sizes[0]),
        ("realloc", "peak", sizes[-1], sizes[-1]),
        ("realloc", "live_at_exit", sizes[-1], sizes[-1]),
    ]


def mapped():
    """One mapping is kept, one grown and kept, one given back."""
    held.append(mmap.mmap(-1, 256 * MIB))  # mark: mapped
    write(held[-1], 0, 256 * MIB)
    grown = mmap.mmap(-1, 64 * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # mark: grown
    grown.resize(128 * MIB)  # mark: grown
    write(grown, 0, 128 * MIB)
    held.append(grown)
    with mmap.mmap(-1, 512 * MIB) as closed:  # mark: closed
        write(closed, 0, 512 * MIB)
        time.sleep(0.05)
    return [
        ("mapped", "allocated", 256 * MIB, MIB),
        ("mapped", "live_at_exit", 256 * MIB, MIB),
        ("grown", "live_at_exit", 128 * MIB, MIB),
        ("closed", "allocated", 512 * MIB, MIB),
        ("closed", "live_at_peak", 512 * MIB, MIB),
        ("closed", "live_at_exit", 0, MIB),
    ]


def ranges():
    """Native mappings: a hole in one, another on top of the middle of one, a third moved and grown."""
    libc, pointer, size = c_library()
    libc.mremap.restype = pointer
    libc.munmap.argtypes = [pointer, size]
    libc.mremap.argtypes = [pointer, size, size, ctypes.c_int]
    anonymous, fixed, may_move = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0x10, 1
    holed = libc.mmap(None, 64 * MIB, 3, anonymous, -1, 0)  # mark: holed
    ctypes.memset(holed, 1, 64 * MIB)
    libc.munmap(holed + 16 * MIB, 16 * MIB)
    below = libc.mmap(None, 64 * MIB, 3, anonymous, -1, 0)  # mark: below
    libc.mmap(below + 16 * MIB, 16 * MIB, 3, anonymous | fixed, -1, 0)  # mark: above
    ctypes.memset(below, 1, 64 * MIB)
    moved = libc.mmap(None, 32 * MIB, 3, anonymous, -1, 0)  # mark: moved
    moved = libc.mremap(moved, 32 * MIB, 96 * MIB, may_move)  # mark: moved
    ctypes.memset(moved, 1, 96 * MIB)
    time.sleep(0.05)
    return [
        ("holed", "allocated", 64 * MIB, MIB),
        ("holed", "live_at_exit", 48 * MIB, MIB),
        ("below", "live_at_exit", 48 * MIB, MIB),
        ("above", "live_at_exit", 16 * MIB, MIB),
        ("moved", "live_at_exit", 96 * MIB, MIB),
    ]


def untouched():
    """What nobody writes is not in use: a mapping, half a block of zeros, and what is reserved until it is made writable."""
    libc, pointer, size = c_library()
    held.append(mmap.mmap(-1, 64 * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))  # mark: ignored
    libc.calloc.restype = pointer
    libc.calloc.argtypes = [size, size]
    zeros = libc.calloc(80, MIB)  # mark: zeros
    reserved = libc.mmap(None, 512 * MIB, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)  # mark: reserved
    time.sleep(0.05)
    ctypes.memset(zeros, 1, 40 * MIB)
    libc.mprotect(reserved, 32 * MIB, 3)
    ctypes.memset(reserved, 1, 32 * MIB)
    time.sleep(0.05)
    return [
        ("ignored", "allocated", 64 * MIB, MIB),
        ("ignored", "live_at_peak", 0, MIB),
        ("zeros", "allocated", 80 * MIB, MIB),
        ("zeros", "live_at_peak", 40 * MIB, MIB),
        ("zeros", "live_at_exit", 40 * MIB, MIB),
        ("reserved", "allocated", 32 * MIB, MIB),
        ("reserved", "live_at_exit", 32 * MIB, MIB),
    ]


def discarded():
    """Pages of a mapping are given back and partly taken again, while the mapping stays."""
    pages = mmap.mmap(-1, 96 * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # mark: discarded
    held.append(pages)
    write(pages, 0, 96 * MIB)
    time.sleep(0.05)
    if hasattr(pages, "madvise"):
        pages.madvise(mmap.MADV_DONTNEED)
    time.sleep(0.05)
    write(pages, 0, 24 * MIB)
    time.sleep(0.05)
    return [
        ("discarded", "peak", 96 * MIB, MIB),
        ("discarded", "live_at_exit", 24 * MIB, MIB),
    ]


def handed_over():
    """A producer of large blocks is never more than eight ahead: two in hands, six in the queue. How far it was in this
    run, as far as the queue tells, is for the standard error."""
    waiting = queue.Queue(6)
    most = 0

    def produce():
        nonlocal most
        for _ in range(400):
            waiting.put(bytearray(8 * MIB))  # mark: handed
            most = max(most, waiting.qsize())
        waiting.put(None)

    thread = threading.Thread(target=produce)
    thread.start()
    while waiting.get() is not None: pass
    thread.join()
    print(most, file=sys.stderr)
    return [("handed", "allocated", 400 * 8 * MIB, MIB), ("handed", "live_at_exit", 0, MIB)]


def peak():
    """The most is in use after `second` and `third`: what was there before and what comes after is not in the peak."""
    first = bytearray(200 * MIB)  # mark: first
    del first
    second = bytearray(300 * MIB)  # mark: second
    third = bytearray(100 * MIB)  # mark: third
    del second
    fourth = bytearray(250 * MIB)  # mark: fourth
    held.extend([third, fourth])
    at_peak, at_end = {"second": 300, "third": 100}, {"third": 100, "fourth": 250}
    names = ("first", "second", "third", "fourth")
    return [
        (name, figure, table.get(name, 0) * MIB, MIB)
        for figure, table in (("live_at_peak", at_peak), ("live_at_exit", at_end))
        for name in names
    ]


def other_thread():
    """One thread allocates, another frees: large and small blocks."""
    handed = []

    def make():
        handed.append([bytearray(MIB) for _ in range(100)])  # mark: large
        handed.append(list(map(bytes, itertools.repeat(1000, 60_000))))  # mark: little

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    size = sys.getsizeof(handed[1][0])
    total = 60_000 * size + sys.getsizeof(handed[1])
    handed.clear()
    return [
        ("large", "allocated", 100 * MIB, MIB),
        ("large", "live_at_exit", 0, MIB),
        ("little", "live_at_peak", total, size),
        ("little", "live_at_exit", 0, size),
    ]


def pipe(seconds):
    """A producer and a consumer with a bounded queue between them: as long as it runs, the same is live."""
    waiting = queue.Queue(50)

    def produce():
        size = 5000
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            waiting.put(bytes(size))  # mark: produce
        waiting.put(None)

    thread = threading.Thread(target=produce)
    thread.start()
    count = 0
    while waiting.get() is not None: count += 1
    thread.join()
    size = sys.getsizeof(bytes(5000))
    return [("produce", "allocated", count * size, size), ("produce", "live_at_exit", 0, size)]


def fork():
    """Parent and child each hold what they made; what the child has inherited is the parent's."""
    held.append(bytearray(200 * MIB))  # mark: inherited
    child = os.fork()
    if child == 0:
        held.append(bytearray(100 * MIB))  # mark: own
        time.sleep(0.3)
        os._exit(0)
    os.waitpid(child, 0)
    return [("inherited", "allocated", 200 * MIB, MIB), ("inherited", "live_at_exit", 200 * MIB, MIB), ("own", "allocated", 0, MIB)]


def copies():
    """Each line makes new bytes out of old ones."""
    source = bytes(64 * MIB)
    for _ in range(4): part = source[1:]  # mark: slice
    pieces = [source[: 8 * MIB]] * 16
    joined = b"".join(pieces)  # mark: join
    changed = bytearray(joined)  # mark: convert
    held.extend([part, changed])
    return [
        ("slice", "copied", 4 * (len(source) - 1), len(source)),
        ("slice", "allocated", 4 * len(source), len(source)),
        ("join", "copied", len(joined), 8 * MIB),
        ("join", "allocated", len(joined), len(joined)),
        ("convert", "copied", len(joined), len(joined)),
    ]


def elements():
    """Copies that are made element by element."""
    count = 4_000_000
    source, numbers = [None] * count, dict.fromkeys(range(300_000))
    whole = tuple(source)  # mark: tuple
    part = source[1:]  # mark: sliced
    again = part + part  # mark: joined
    most = whole[1:]  # mark: tuple_slice
    table = numbers.copy()  # mark: dict
    made = [value for value in source]  # mark: comprehension
    held.extend([whole, part, again, most, table, made])
    return [
        ("tuple", "copied", 8 * count, 8 * count),
        ("sliced", "copied", 8 * (count - 1), 8 * count),
        ("joined", "copied", 16 * (count - 1), 16 * count),
        ("tuple_slice", "copied", 8 * (count - 1), 8 * count),
        ("comprehension", "copied", 0, 8 * count),
    ]


def main(case, *words):
    print(json.dumps(globals()[case](*map(float, words))))


main(*sys.argv[1:])
