# SPDX-License-Identifier: Apache-2.0
"""Makes objects, tells where their memory is and what they are as JSON, and blocks until stdin ends.

How much stands before an object in its block is what sys.getsizeof adds to
the object's own account. Runs on 3.8+.
"""

import ctypes
import json
import os
import sys


class Plain:
    pass


class Slots:
    __slots__ = ("x",)


class Derived(dict):
    pass


class Meta(type):
    pass


class Odd(metaclass=Meta):
    __slots__ = ("__weakref__",)


def words(count):
    """Items of a list that are its own."""
    return [float(i) / 3 for i in range(count)]


OBJECTS = [Plain(), Slots(), Derived(), Odd(), 1.5 / 7, 10**30, "text %d" % os.getpid(), b"x%d" % os.getpid()]
OBJECTS += [words(9), {"a": OBJECTS}, {1.5, 2.5}, (OBJECTS, 5), words, iter(OBJECTS), object(), Meta("Made", (), {})]
# What their memory holds is addresses of objects, and of types.
ARRAYS = [words(9), [Plain() for _ in range(9)], [int, str, float, list, dict, object, type, tuple, set]]


def describe(thing):
    before = sys.getsizeof(thing) - type(thing).__sizeof__(thing)
    return [id(thing) - before, before + type(thing).__basicsize__, type(thing).__name__]


def items_of(sequence):
    """The array of a list: its structure ends with the address and the room."""
    address = id(sequence) + list.__basicsize__ - 16
    return [ctypes.c_uint64.from_address(address).value, 8 * len(sequence), ""]


def main():
    runtime = ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime"))
    blocks = [describe(thing) for thing in OBJECTS] + [items_of(array) for array in ARRAYS]
    truth = {"pid": os.getpid(), "version": sys.hexversion, "runtime": runtime, "types": {}, "blocks": blocks}
    print(json.dumps(truth), flush=True)
    sys.stdin.read()


main()
