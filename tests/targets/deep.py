# SPDX-License-Identifier: Apache-2.0
"""Works at the bottom of a deep recursion. argv: depth, CPU seconds. Prints the depth reached."""
import sys
import threading

from burning import rounds

STACK_BYTES = 512 << 20


def work(seconds):
    x = 0
    for count in rounds(seconds, "work"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: work


def down(level, seconds):
    if level == 0:
        work(seconds)
        return 0
    return 1 + down(level - 1, seconds)


def main(depth, seconds):
    sys.setrecursionlimit(depth + 1000)
    threading.stack_size(STACK_BYTES)
    result = []
    thread = threading.Thread(target=lambda: result.append(down(depth, seconds)))
    thread.start()
    thread.join()
    print(result)


main(int(sys.argv[1]), float(sys.argv[2]))
