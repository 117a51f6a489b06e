# SPDX-License-Identifier: Apache-2.0
"""A program whose legal stacks are known, and the check of sampled stacks against them.

The program enters the interpreter from C in many ways: sort keys, map, reduce, slots, generators. Everything exists in
several colours that never call each other, so a stack that mixes leftovers of one call with another has two colours.
A line ends in `# calls: names` when Python functions can run below it; any other line is a leaf.
"""

import ast
import re

COLOURS = ("red", "green", "blue")
FRAME = re.compile(r"^(?P<name>.*) \((?P<file>.*):(?P<line>\d+)\)$")

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
    while time.monotonic() < end:
{calls}


end = time.monotonic() + float(sys.argv[1])
worker = threading.Thread(target=rounds, args=(end,))
worker.start()
rounds(end)  # calls: rounds
worker.join()
"""


def program():
    calls = "\n".join(f"        {c}_work(values)  # calls: {c}_work" for c in COLOURS)
    return _HEAD + "".join(_COLOUR.format(c=c) for c in COLOURS) + _TAIL.format(calls=calls)


class Law:
    """Which functions each line of the program can be in, and what may run below it."""

    def __init__(self, path):
        self._path = str(path)
        source = open(path).read()
        lines = source.splitlines()
        # Instructions that start a module or a generator have no line.
        self._owners = {number: ["<module>"] for number in range(len(lines) + 1)}
        self._callees = {
            number: set(line.split("# calls: ")[1].replace(" ", "").split(","))
            for number, line in enumerate(lines, start=1)
            if "# calls: " in line
        }
        self._define(ast.parse(source), "")

    def _define(self, scope, prefix):
        for node in ast.iter_child_nodes(scope):
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                continue
            name = prefix + node.name
            # The first line also runs in the scope around it, when it makes the function or class.
            self._owners[node.lineno].append(name)
            for line in range(node.lineno + 1, node.end_lineno + 1):
                self._owners[line] = [name]
            if isinstance(node, ast.ClassDef):
                self._callees[node.lineno] = {name}
            elif any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(node)):
                self._owners[0].append(name)
            self._define(node, name + ".")

    def offence(self, frames):
        """Why a stack (root first) cannot be, or None when it can or when none of the program's code is in it."""
        matches = [match for match in map(FRAME.match, frames) if match]
        ours = [i for i, match in enumerate(matches) if match["file"] == self._path]
        if not ours:
            return None
        if ours != list(range(ours[0], ours[0] + len(ours))):
            return "foreign Python code between frames of the program"
        places = [(self._owner(matches[i]["name"], int(matches[i]["line"])), int(matches[i]["line"])) for i in ours]
        if None in [owner for owner, _ in places]:
            return "a function with a line that is not its own"
        if len(matches) > ours[-1] + 1 and places[-1][0] != "<module>":
            return "library code below a function that calls none"
        return self._wrong_edge(places) or self._wrong_root(matches[: ours[0]], places)

    def _owner(self, name, line):
        # Names are not qualified before 3.11.
        owners = [owner for owner in self._owners.get(line, []) if name in (owner, owner.rsplit(".", 1)[-1])]
        return owners[0] if owners else None

    def _wrong_edge(self, places):
        for (caller, line), (callee, _) in zip(places, places[1:]):
            if callee not in self._callees.get(line, ()):
                return f"line {line} of {caller} does not call {callee}"
        return None

    def _wrong_root(self, before, places):
        names = [match["name"].rsplit(".", 1)[-1] for match in before]
        legal = {"<module>": [], "rounds": ["_bootstrap", "_bootstrap_inner", "run"]}
        return None if legal.get(places[0][0]) == names else f"{places[0][0]} below {names}"
