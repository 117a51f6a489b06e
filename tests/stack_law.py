# SPDX-License-Identifier: Apache-2.0
"""Tells the stacks that a program can have from those that it cannot have."""

import ast
import re

FRAME = re.compile(r"^(?P<name>.*) \((?P<file>.*):(?P<line>\d+)\)$")


class Law:
    """Which functions each line of a program can be in, and what may run below it.

    A line ends in `# calls: names` when Python functions can run below it; any other line is a leaf. `roots` has the
    functions in which a stack of the program can begin, each with the names of the library's frames before it.
    """

    def __init__(self, path, roots):
        self._path = str(path)
        self._roots = roots
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
        return None if self._roots.get(places[0][0]) == names else f"{places[0][0]} below {names}"
