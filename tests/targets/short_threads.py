# SPDX-License-Identifier: Apache-2.0
"""Many short threads, one after another. argv: number of threads, truth file. Prints what they computed."""
import sys
import threading

from truth import Truth


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
    results = []
    for index in range(count):
        thread = threading.Thread(target=work, args=(threads, results, index))
        thread.start()
        thread.join()
        alone(main_thread)
    truth.write(path)
    print(len(results), sum(results))


main(int(sys.argv[1]), sys.argv[2])
