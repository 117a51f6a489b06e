# SPDX-License-Identifier: Apache-2.0
"""Calls in every way there is, while walk_stress looks on after each instruction.

usage: stress_target.py LIBRARY SECONDS WINDOW SEED, or "leftovers" for the seed: see Leftovers.
Prints the report as JSON. Runs on 3.8+.
"""

import ctypes
import functools
import json
import random
import sys
import time
import types

LEVELS = 24
LEVEL = bytearray(1)

# One level of calls is two depths. The functions at depth N are entered by the
# level above and go DOWN to depth M, which enters the next level in some way.
# Both tell their depth before and after what they call.
ENTRIES = '''
def plain():
    DOWN

def keywords(a, b=2, *c, d, **e):
    DOWN

def generator():
    DOWN
    yield 1
    DOWN

def delegating():
    LEVEL[0] = N
    yield from inner()
    LEVEL[0] = N

def inner():
    DOWN
    yield 2

async def coroutine():
    DOWN

async def awaiting():
    LEVEL[0] = N
    await coroutine()
    LEVEL[0] = N

class Thing:
    def __init__(self, x=0):
        DOWN

    def method(self, x=1):
        DOWN

    @property
    def attribute(self):
        DOWN

    def __getitem__(self, i):
        DOWN

    def __add__(self, other):
        DOWN

class Dying:
    def __del__(self):
        DOWN

def failing():
    DOWN
    raise ValueError

def key(_):
    DOWN
    return 0

def cells():
    x = N
    def use():
        return x
    DOWN
    return use

THING = object.__new__(Thing)
'''
DOWN = "LEVEL[0] = N; COUNT[0] += 1; COUNT[0] < 40 and WAYS and WAYS[choose(len(WAYS))](); LEVEL[0] = N"

WAYS = {
    "plain": "below.plain()",
    "keywords": "below.keywords(1, d=3, f=4)",
    "star": "below.keywords(*(1, 2, 3), **{'d': 4})",
    "partial": "partial(below.keywords, 1, d=5)()",
    "loop": "[None for _ in below.generator()]",
    "next": "next(below.generator())",
    "list": "list(below.generator())",
    "delegating": "list(below.delegating())",
    "sum": "sum(x for x in below.generator())",
    "comprehension": "[below.plain() for _ in (1, 2)]",
    "coroutine": "next(below.awaiting().__await__(), None)",
    "init": "below.Thing()",
    "method": "below.THING.method()",
    "attribute": "below.THING.attribute",
    "getitem": "below.THING[1]",
    "add": "below.THING + 1",
    "sorted": "sorted((1, 2), key=below.key)",
    "map": "list(map(below.key, (1,)))",
    "reduce": "reduce(lambda a, b: below.plain(), (1, 2))",
    "cells": "below.cells()()",
    "exec": "exec(CODE, SCOPE)",
    "failing": "caught(below.failing)",
    "dying": "below.Dying()",
    "dying_frame": "held_by_frame()",
    "dying_generator": "list(held_by_generator())",
}
HELPERS = '''
def caught(function):
    try:
        function()
    except ValueError:
        LEVEL[0] = M

def held_by_frame():
    held = below.Dying()

def held_by_generator():
    held = below.Dying()
    yield 1

SCOPE = {"below": below}
CODE = compile("below.plain()", FILE, "exec")
'''
WAY = """
def call_{name}():
    LEVEL[0] = M
    {call}
    LEVEL[0] = M
WAYS.append(call_{name})
"""


class Choice:
    """A fast repeatable stream of numbers."""

    def __init__(self, seed):
        stream = random.Random(seed)
        self.numbers = [stream.random() for _ in range(4093)]
        self.at = 0

    def __call__(self, n):
        self.at = (self.at + 1) % len(self.numbers)
        return int(self.numbers[self.at] * n)


def build(choose):
    """The module of depth 0, and the count that bounds the calls of one round."""
    count = [0]
    below = None
    for level in reversed(range(LEVELS)):
        here = types.ModuleType(f"level{level}")
        scope = vars(here)
        n, m = 2 * level, 2 * level + 1
        scope.update(N=n, M=m, LEVEL=LEVEL, FILE=f"L{m:02d}", WAYS=[], COUNT=count)
        scope.update(below=below, choose=choose)
        scope.update(partial=functools.partial, reduce=functools.reduce)
        exec(compile(ENTRIES.replace("DOWN", DOWN), f"L{n:02d}", "exec"), scope)
        if below is not None:
            ways = "".join(WAY.format(name=name, call=call) for name, call in WAYS.items())
            exec(compile(HELPERS + ways, f"L{m:02d}", "exec"), scope)
        below = here
    return below, count


class Rounds:
    """Rounds of calls as a seed has them."""

    def __init__(self, seed):
        self.top, self.count = build(Choice(seed))

    def __call__(self):
        self.count[0] = 0
        self.top.plain()


LEFTOVERS = {
    "L00": """
def over():
    LEVEL[0] = 1  # within one of all depths
    held()
    between()
    LEVEL[0] = 0

def held():
    thing = Dying()

class Dying:
    def __del__(self):
        pass
""",
    "L01": """
def between(ROOM):
    below(keyword=1)
""",
    "L02": """
def below(*, keyword):
    pass
""",
}


class Leftovers:
    """Frames that follow each other at the same places, with callers that are not in the same place.

    __del__ is called by over() while the frame of held() is being cleared, so it lies above that. Then between() has its
    frame where held() had it, and below() where __del__ had it. Until the interpreter has written who called below(),
    its frame still says over(): a stack without between().
    """

    def __init__(self):
        self.scope = {"LEVEL": LEVEL}
        for room in range(8):
            for name, text in LEFTOVERS.items():
                text = text.replace("ROOM", ", ".join(f"x{i}=0" for i in range(room)))
                exec(compile(text, name, "exec"), self.scope)
            if self.words("between") == self.words("held"):
                break

    def words(self, name):
        code = self.scope[name].__code__
        return code.co_nlocals + code.co_stacksize

    def __call__(self):
        self.scope["over"]()


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
    one_round = Leftovers() if seed == "leftovers" else Rounds(int(seed))
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
        one_round()
    report = Report()
    lib.stress_stop(ctypes.byref(report))
    told = {name: getattr(report, name) for name in ("spliced", "stale", "told")}
    told.update(outcomes=list(report.outcomes), rip=hex(report.rip))
    told["depths"] = report.depths[: report.depth_count]
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
