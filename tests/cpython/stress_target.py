# SPDX-License-Identifier: Apache-2.0
"""Calls in every way there is, while walk_stress looks on after each instruction.

usage: stress_target.py LIBRARY SECONDS WINDOW SEED. Prints the report as JSON. Runs on 3.8+.
"""

import ctypes
import functools
import json
import random
import sys
import time
import types

DEPTHS = 24
LEVEL = bytearray(1)

# One depth of calls. Every function tells its depth before and after it calls
# down; `down` picks one of the ways in which the next depth is entered.
SOURCE = '''
def plain():
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N

def keywords(a, b=2, *c, d, **e):
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N

def generator():
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N
    yield 1
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N

def delegating():
    LEVEL[0] = N
    yield from inner()
    LEVEL[0] = N

def inner():
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N
    yield 2

async def coroutine():
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N

async def awaiting():
    LEVEL[0] = N
    await coroutine()
    LEVEL[0] = N

class Thing:
    def __init__(self, x=0):
        plain()

    def method(self, x=1):
        plain()

    @property
    def attribute(self):
        plain()

    def __getitem__(self, i):
        plain()

    def __add__(self, other):
        plain()

class Bare:
    def __init__(self):
        LEVEL[0] = N
        try:
            down()
        finally:
            LEVEL[0] = N

class Dying:
    def __del__(self):
        LEVEL[0] = N
        try:
            down()
        except ValueError:
            pass
        finally:
            LEVEL[0] = N

def failing():
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N
    raise ValueError

def key(_):
    plain()
    return 0

def cells():
    x = N
    def use():
        return x
    LEVEL[0] = N
    try:
        down()
    finally:
        LEVEL[0] = N
    return use

THING = object.__new__(Thing)
'''

# How one depth (`here`) enters the next (`below`). Helpers belong to `here`.
WAYS = '''
def call_plain(): below.plain()
def call_keywords(): below.keywords(1, d=3, f=4)
def call_star(): below.keywords(*(1, 2, 3), **{"d": 4})
def call_partial(): partial(below.keywords, 1, d=5)()
def call_loop():
    for _ in below.generator(): pass
def call_next(): next(below.generator())
def call_list(): list(below.generator())
def call_delegating():
    for _ in below.delegating(): pass
def call_sum(): sum(x for x in below.generator())
def call_comprehension(): [below.plain() for _ in (1, 2)]
def call_coroutine():
    try:
        below.awaiting().send(None)
    except StopIteration:
        pass
def call_init(): below.Thing()
def call_bare(): below.Bare()
def call_method(): below.THING.method()
def call_attribute(): below.THING.attribute
def call_getitem(): below.THING[1]
def call_add(): below.THING + 1
def call_sorted(): sorted((1, 2), key=below.key)
def call_map(): list(map(below.key, (1,)))
def call_reduce(): reduce(lambda a, b: below.plain(), (1, 2))
def call_cells(): below.cells()()
def call_exec(): exec(CODE, SCOPE)
def call_failing():
    try:
        below.failing()
    except ValueError:
        pass
def call_dying():
    held = below.Dying()
    del held
def call_dying_frame():
    held = below.Dying()
def call_dying_generator():
    list(held_by_generator())
def held_by_generator():
    held = below.Dying()
    yield 1
SCOPE = {"below": below}
CODE = compile("below.plain()", FILE, "exec")
CALLS = [f for name, f in sorted(globals().items()) if name.startswith("call_")]

def down():
    if COUNT[0] > 40:
        return
    COUNT[0] += 1
    CALLS[choose(len(CALLS))]()
    LEVEL[0] = N
'''


class Choice:
    """A fast repeatable stream of numbers."""

    def __init__(self, seed):
        self.numbers = [random.Random(seed).random() for _ in range(4093)]
        self.at = 0

    def __call__(self, n):
        self.at = (self.at + 1) % len(self.numbers)
        return int(self.numbers[self.at] * n)


def build(choose):
    """The module of depth 0; COUNT bounds the calls of one round."""
    count = [0]
    below = None
    for depth in reversed(range(DEPTHS)):
        name = "L%02d" % depth
        here = types.ModuleType(name)
        scope = vars(here)
        scope.update(N=depth, LEVEL=LEVEL, FILE=name, below=below, choose=choose, COUNT=count)
        scope.update(partial=functools.partial, reduce=functools.reduce)
        exec(compile(SOURCE, name, "exec"), scope)
        if below is None:
            scope["down"] = lambda: None
        else:
            exec(compile(WAYS, name, "exec"), scope)
        below = here
    return below, count


class Report(ctypes.Structure):
    _fields_ = [
        ("outcomes", ctypes.c_uint64 * 4),
        ("spliced", ctypes.c_uint64),
        ("stale", ctypes.c_uint64),
        ("told", ctypes.c_uint64),
        ("rip", ctypes.c_uint64),
        ("depth_count", ctypes.c_uint64),
        ("depths", ctypes.c_int32 * 64),
    ]


def main(library, seconds, window, seed):
    lib = ctypes.CDLL(library)
    current = ctypes.pythonapi.PyThreadState_Get
    current.restype = ctypes.c_void_p
    runtime = ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime"))
    kinds = (types.CodeType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
    type_ids = (ctypes.c_uint64 * 4)(*map(id, kinds))
    level = (ctypes.c_char * 1).from_buffer(LEVEL)
    top, count = build(Choice(seed))
    started = lib.stress_start(
        ctypes.c_uint32(sys.hexversion),
        ctypes.c_uint64(runtime),
        ctypes.c_uint64(current()),
        type_ids,
        level,
        ctypes.c_uint64(window),
        ctypes.c_uint64(1000),
    )
    assert started == 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        count[0] = 0
        top.plain()
    report = Report()
    lib.stress_stop(ctypes.byref(report))
    told = {name: getattr(report, name) for name in ("spliced", "stale", "told")}
    told.update(outcomes=list(report.outcomes), rip=hex(report.rip))
    told["depths"] = report.depths[: report.depth_count]
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
