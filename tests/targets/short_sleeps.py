# SPDX-License-Identifier: Apache-2.0
"""Threads that sleep and end, one after another or all at once. argv: seconds of each, number of threads, how many at once.

Prints as JSON how long they slept in all, by the clock inside them, and how long they lived at most, by
the clock of the thread that starts and joins them.
"""
import json
import sys
import threading
import time


def nap(seconds, slept):
    begin = time.perf_counter()
    time.sleep(seconds)  # mark: sleep
    slept.append(time.perf_counter() - begin)


def main(seconds, count, together):
    slept, lived = [], 0.0
    for _ in range(count // together):
        threads = [threading.Thread(target=nap, args=(seconds, slept)) for _ in range(together)]
        begins = []
        for thread in threads:
            begins.append(time.perf_counter())
            thread.start()
        for thread, begin in zip(threads, begins):
            thread.join()
            lived += time.perf_counter() - begin
    print(json.dumps({"slept": sum(slept), "lived": lived}))


main(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
