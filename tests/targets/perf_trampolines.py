# SPDX-License-Identifier: Apache-2.0
"""Python code that calls Python code through C and back, for `python -X perf`. argv: seconds of CPU time."""
import sys
import time


def leaf(n):
    total = 0
    for i in range(n):
        total += i % 7  # mark: leaf
    return total


def middle(n):
    return sorted(range(3), key=lambda k: leaf(n))[0]


def main(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        middle(5000)
    print(middle(10))


main(float(sys.argv[1]))
