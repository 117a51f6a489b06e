# SPDX-License-Identifier: Apache-2.0
"""Many threads at once, on small stacks, each with CPU work. Prints what they computed.

argv: number of threads, CPU seconds of all together.
"""
import sys
import threading
import time

SMALL_STACK_BYTES = 64 * 1024


def work(seconds):
    """Asks for its CPU time two or three times only: on a busy machine, a thread that often does so is seldom met by
    the kernel's ticks."""
    begin = time.thread_time()
    x, count, used = 0, 10000, 0.0
    while used < 0.97 * seconds:
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: work
        before, used = used, time.thread_time() - begin
        count = max(1000, int(count * (seconds - used) / (used - before)))


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
