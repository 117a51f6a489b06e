# SPDX-License-Identifier: Apache-2.0
"""RecursionError: its text, its depth, and that the program can go on."""
import sys


def down(depth):
    return down(depth + 1) if depth >= 0 else 0


def count(depth=0):
    try:
        return count(depth + 1)
    except RecursionError:
        return depth


for limit in (200, 1000, 3000):
    sys.setrecursionlimit(limit)
    print(count())
print(sys.getrecursionlimit())
try:
    down(0)
except RecursionError as error:
    print(error)
try:
    repr((lambda x: [x.append(x), x][1])([])) and eval("(" * 300 + ")" * 300)
except Exception as error:
    print(type(error).__name__, error)
down(0)
