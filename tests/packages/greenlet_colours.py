# SPDX-License-Identifier: Apache-2.0
"""Programs of greenlets whose legal stacks are known, for the Law of stack_law.py.

Each greenlet has a colour and hands over to another one in the middle of nested Python and C calls, so that at any time
the C stack holds pieces of several. No function of one colour calls one of another; but a greenlet's stack goes on into
its parent's, so its first function is below a line where the parent has switched.
"""

COLOURS = ("red", "green", "blue")
_FOLLOWING = dict(zip(COLOURS, COLOURS[1:] + COLOURS[:1]))
# A stack begins with the module, or with a greenlet's first function if its parent cannot be told.
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
    {hand_over}


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


class {c}_Made:
    def __init__(self, x):
        self.value = {c}_leaf(x)  # calls: {c}_leaf


def {c}_rounds():
    values = list(range({length}))
    while time.process_time() < end:
        sorted(values, key={c}_key)  # calls: {c}_key
        list(map({c}_key, values))  # calls: {c}_key
        functools.reduce({c}_add, values)  # calls: {c}_add
        sum({c}_generate(values))  # calls: {c}_generate
        {c}_down({length}, values)  # calls: {c}_down
        for value in values:
            {c}_Made(value)  # calls: {c}_Made.__init__
"""

_END = """
end = time.process_time() + float(sys.argv[1])
"""

_ALL_ROUNDS = ", ".join(f"{colour}_rounds" for colour in COLOURS)
_SIBLINGS = f"""
red = greenlet.greenlet(red_rounds)
green = greenlet.greenlet(green_rounds)
blue = greenlet.greenlet(blue_rounds)
while not (red.dead and green.dead and blue.dead):
    red.switch()  # calls: {_ALL_ROUNDS}
    green.switch()  # calls: {_ALL_ROUNDS}
    blue.switch()  # calls: {_ALL_ROUNDS}
print("all are done")
"""

_NESTED = """
main = greenlet.getcurrent()
red = greenlet.greenlet(red_rounds)
green = greenlet.greenlet(green_rounds, parent=red)
blue = greenlet.greenlet(blue_rounds, parent=green)
while not red.dead:
    red.switch()  # calls: red_rounds
print("all are done")
"""


def siblings():
    """Three that hand over to each other, children of the main greenlet: it may wait at any line for any of them."""
    return _program({colour: f"{following}.switch()" for colour, following in _FOLLOWING.items()}, _SIBLINGS)


def through_c():
    """The same, each time through a greenlet that runs a C function and has no Python frame."""
    hand_over = "greenlet.greenlet({}.switch).switch()"
    return _program({colour: hand_over.format(following) for colour, following in _FOLLOWING.items()}, _SIBLINGS)


def nested():
    """Three of which each is the parent of the next: a greenlet runs below the one line where its parent waits for it."""
    child = """if not {child}.dead:
        {child}.switch()  # calls: {child}_rounds
    {parent}.switch()"""
    hand_over = {
        "red": child.format(child="green", parent="main"),
        "green": child.format(child="blue", parent="red"),
        "blue": "green.switch()",
    }
    return _program(hand_over, _NESTED)


def _program(hand_over, tail):
    parts = [
        _COLOUR.format(c=colour, hand_over=hand_over[colour], length=12 + 5 * i) for i, colour in enumerate(COLOURS)
    ]
    return _HEAD + "".join(parts) + _END + tail
