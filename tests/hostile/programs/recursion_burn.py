# SPDX-License-Identifier: Apache-2.0
"""Thousands of frames at work, so that a sample takes longer than the time to the next one."""
# short: no
import sys
import time


def down(depth):
    if depth:
        return down(depth - 1)
    deadline = time.process_time() + 2
    while time.process_time() < deadline:
        pass
    return "done"


sys.setrecursionlimit(100000)
print(down(5000))
