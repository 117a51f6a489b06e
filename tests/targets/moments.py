# SPDX-License-Identifier: Apache-2.0
"""Six times: uses the CPU for 0.2 s, then sleeps for 0.3 s. Prints as JSON when it slept, in seconds of Unix time."""
import json
import time


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for _ in range(1000):
            pass


def nap(seconds):
    begin = time.time()
    time.sleep(seconds)
    return begin, time.time()


def main():
    slept = []
    for _ in range(6):
        spin(0.2)
        slept.append(nap(0.3))
    return slept


print(json.dumps(main()))
