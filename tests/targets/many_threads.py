# SPDX-License-Identifier: Apache-2.0
"""Many threads at once, on small stacks, each with CPU work. Prints what they computed.

argv: number of threads, CPU seconds of all together.
"""
import sys
import threading

from burning import rounds

SMALL_STACK_BYTES = 64 * 1024


def work(seconds):
    x = 0
    for count in rounds(seconds, "work"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: work


def worker(barrier, index, seconds, results):
    barrier.wait()
    work(seconds)
    results[index] = index * index


def main(count, seconds):
    threading.stack_size(SMALL_STACK_BYTES)
    barrier = threading.Barrier(count)
    results = {}
    threads = [
        threading.Thread(target=worker, name="worker-%d" % i, args=(barrier, i, seconds / count, results))
        for i in range(count)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(len(results), sum(results.values()))


main(int(sys.argv[1]), float(sys.argv[2]))
