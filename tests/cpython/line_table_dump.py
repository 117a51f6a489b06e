# SPDX-License-Identifier: Apache-2.0
"""Prints the line tables of standard library code, and what this interpreter reads from them.

usage: line_table_dump.py LIMIT. One JSON object per code object, as walk_probe positions
takes it; stops after about LIMIT instructions. Runs on 3.8+.
"""

import ctypes
import json
import os
import random
import sys
import types

LINE_OF = ctypes.pythonapi.PyCode_Addr2Line
LINE_OF.argtypes = [ctypes.py_object, ctypes.c_int]

# Shapes that the standard library may lack: long functions, far jumps between
# lines both ways, wide columns, statements spread over hundreds of lines.
EXTRA = [
    "def f(x):\n" + "".join(f"    x += {i}\n" for i in range(3000)),
    "x = [\n" + "".join(f"  g({i}),\n" * (i % 3) + "\n" * (i % 300) for i in range(600)) + "]",
    "y = (" + " + ".join(f"value_{i}.attribute({i})" for i in range(500)) + ")",
    "def h():\n" + "\n" * 5000 + "    try:\n        k()\n    finally:\n        m()\n",
]


def code_objects(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_objects(constant)


def sources():
    for i, text in enumerate(EXTRA):
        yield f"<extra {i}>", text
    library = os.path.dirname(os.__file__)
    names = [
        os.path.join(folder, name)
        for folder, _, files in os.walk(library)
        for name in files
        if name.endswith(".py") and "site-packages" not in folder and "/test" not in folder
    ]
    random.Random(1).shuffle(names)
    for name in names:
        try:
            with open(name, encoding="utf-8") as file:
                yield name, file.read()
        except (OSError, UnicodeDecodeError):
            pass


def expected(code):
    units = range(0, len(code.co_code), 2)
    lines = [LINE_OF(code, offset) for offset in units]
    lines = [line if line > 0 else None for line in lines]
    if not hasattr(code, "co_positions"):
        return [list(row) for row in zip(units, lines)]
    positions = list(code.co_positions())
    # A module begins with an instruction on line 0.
    assert [position[0] or None for position in positions] == lines
    return [[offset, *position] for offset, position in zip(units, positions)]


def main(limit):
    for name, text in sources():
        try:
            module = compile(text, name, "exec")
        except (SyntaxError, ValueError):
            continue
        for code in code_objects(module):
            # The attribute co_lnotab is made up on later versions.
            table = code.co_linetable if sys.version_info >= (3, 10) else code.co_lnotab
            rows = expected(code)
            told = {
                "name": f"{os.path.basename(name)}:{code.co_name}",
                "minor": sys.version_info[1],
                "first_line": code.co_firstlineno,
                "table": table.hex(),
                "expected": rows,
            }
            print(json.dumps(told))
            limit -= len(rows)
        if limit < 0:
            return


if __name__ == "__main__":
    main(int(sys.argv[1]))
