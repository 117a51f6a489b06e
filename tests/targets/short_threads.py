# SPDX-License-Identifier: Apache-2.0
"""Many short threads, one after another. argv: number of threads, truth file. Prints what they computed.

One thread in twenty measures itself, and so does the main thread: to ask for the CPU time all the time would keep the
kernel's ticks away (docs/design/0002-clocks.md), and each turn is like the next.
"""
import contextlib
import sys
import threading

from truth import Truth

MEASURED = 20


def work(phase, results, index):
    with phase:
        x = 0
        for i in range(1500): x = (x * 31 + i) & 0xFFFF  # mark: work
    results.append(x ^ index)


def alone(phase):
    with phase:
        x = 0
        for i in range(1500): x = (x * 31 + i) & 0xFFFF  # mark: alone


def main(count, path):
    truth = Truth()
    threads, main_thread = truth.phase("work"), truth.phase("alone")
    results, nothing = [], contextlib.suppress()
    for index in range(count):
        measured = index % MEASURED == 0
        thread = threading.Thread(target=work, args=(threads if measured else nothing, results, index))
        thread.start()
        thread.join()
        alone(main_thread if measured else nothing)
    truth.write(path)
    print(len(results), sum(results))


main(int(sys.argv[1]), sys.argv[2])
