# SPDX-License-Identifier: Apache-2.0
"""A program of greenlets whose legal stacks are known, for the Law of stack_law.py.

Each greenlet has a colour and hands over to the next one in the middle of nested Python and C calls, so that at any time
the C stack holds pieces of several. No function of one colour calls one of another.
"""

COLOURS = ("red", "green", "blue")
ROOTS = {"<module>": [], **{f"{colour}_rounds": [] for colour in COLOURS}}
# The C function through which a line calls back, by what is written on the line.
C_CALLS = {"sorted(": "list_sort", "map(": "map_next", "reduce(": "functools_reduce", "sum(": "builtin_sum"}

_HEAD = """\
import functools
import sys
import time

import greenlet
"""

_COLOUR = """

def {c}_leaf(x):
    y = x * 2654435761
    for i in range(x % 7):
        y = (y * 31 + i) & 0xFFFFFF
    if y % 11 == 0:
        {c}_hand_over()  # calls: {c}_hand_over
    return y % 1009


def {c}_hand_over():
    {next}.switch()


def {c}_key(x):
    return {c}_leaf(x)  # calls: {c}_leaf


def {c}_add(a, b):
    return {c}_leaf(a) + b  # calls: {c}_leaf


def {c}_generate(values):
    for value in values:
        yield {c}_leaf(value)  # calls: {c}_leaf


def {c}_down(depth, values):
    if depth:
        return {c}_down(depth - 1, values)  # calls: {c}_down
    return sorted(values, key={c}_key)  # calls: {c}_key


def {c}_rounds():
    values = list(range({length}))
    while time.process_time() < end:
        sorted(values, key={c}_key)  # calls: {c}_key
        list(map({c}_key, values))  # calls: {c}_key
        functools.reduce({c}_add, values)  # calls: {c}_add
        sum({c}_generate(values))  # calls: {c}_generate
        {c}_down({length}, values)  # calls: {c}_down


{c} = greenlet.greenlet({c}_rounds)
"""

_TAIL = """
end = time.process_time() + float(sys.argv[1])
while not ({all_dead}):
    red.switch()
    green.switch()
    blue.switch()
print("all are done")
"""


def program():
    following = COLOURS[1:] + COLOURS[:1]
    parts = [
        _COLOUR.format(c=colour, next=following[i], length=12 + 5 * i) for i, colour in enumerate(COLOURS)
    ]
    return _HEAD + "".join(parts) + _TAIL.format(all_dead=" and ".join(f"{colour}.dead" for colour in COLOURS))
