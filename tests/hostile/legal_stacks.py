# SPDX-License-Identifier: Apache-2.0
"""A program whose legal stacks are known, written for the Law of stack_law.py.

The program enters the interpreter from C in many ways: sort keys, map, reduce, slots, generators. Everything exists in
several colours that never call each other, so a stack that mixes leftovers of one call with another has two colours.
"""

COLOURS = ("red", "green", "blue")
ROOTS = {"<module>": [], "rounds": ["_bootstrap", "_bootstrap_inner", "run"]}

_HEAD = """\
import functools
import sys
import threading
import time
"""

_COLOUR = """

def {c}_leaf(x):
    y = x * 2654435761
    return y % 1009


def {c}_key(x):
    return {c}_leaf(x)  # calls: {c}_leaf


def {c}_add(a, b):
    return {c}_leaf(a) + b  # calls: {c}_leaf


class {c}_Item:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return {c}_leaf(self.value) == other.value  # calls: {c}_leaf

    def __lt__(self, other):
        return {c}_leaf(self.value) < {c}_leaf(other.value)  # calls: {c}_leaf

    def __getattr__(self, name):
        return {c}_leaf(len(name))  # calls: {c}_leaf

    def __call__(self, value):
        return sorted([value, self.value, 3], key={c}_key)  # calls: {c}_key

    def __len__(self):
        return {c}_leaf(self.value)  # calls: {c}_leaf


def {c}_generate(values):
    for value in values:
        yield {c}_leaf(value)  # calls: {c}_leaf


def {c}_delegate(values):
    yield from {c}_generate(values)  # calls: {c}_generate


def {c}_down(depth, values):
    if depth:
        return {c}_down(depth - 1, values)  # calls: {c}_down
    return sorted(values, key={c}_key)  # calls: {c}_key


def {c}_nested(values):
    return list(map({c}_Item(5), values))  # calls: {c}_Item.__call__, {c}_Item.__init__


def {c}_work(values):
    sorted(values, key={c}_key)  # calls: {c}_key
    list(map({c}_key, values))  # calls: {c}_key
    functools.reduce({c}_add, values)  # calls: {c}_add
    items = list(map({c}_Item, values))  # calls: {c}_Item.__init__
    items.count({c}_Item(-1))  # calls: {c}_Item.__init__, {c}_Item.__eq__
    sorted(items)  # calls: {c}_Item.__lt__
    for item in items:
        item.absent  # calls: {c}_Item.__getattr__
        len(item)  # calls: {c}_Item.__len__
    sum({c}_generate(values))  # calls: {c}_generate
    max({c}_delegate(values))  # calls: {c}_delegate
    {c}_down(20, values)  # calls: {c}_down
    {c}_nested(values)  # calls: {c}_nested
"""

_TAIL = """

def rounds(end):
    values = list(range(40))
    while time.process_time() < end:
{calls}


end = time.process_time() + float(sys.argv[1])
worker = threading.Thread(target=rounds, args=(end,))
worker.start()
rounds(end)  # calls: rounds
worker.join()
"""


def program():
    calls = "\n".join(f"        {c}_work(values)  # calls: {c}_work" for c in COLOURS)
    return _HEAD + "".join(_COLOUR.format(c=c) for c in COLOURS) + _TAIL.format(calls=calls)
