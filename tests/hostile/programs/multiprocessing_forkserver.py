# SPDX-License-Identifier: Apache-2.0
"""Process, Queue and exit codes with forkserver, which starts another Python."""
import multiprocessing
import os
import sys


def worker(number, queue):
    queue.put((number, multiprocessing.get_start_method(), __name__, "LD_PRELOAD" in os.environ, sys.argv[0][-3:]))
    sys.exit(number)


if __name__ == "__main__":
    multiprocessing.set_start_method("forkserver")
    queue = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=worker, args=(i, queue)) for i in range(3)]
    for one in workers:
        one.start()
    print(sorted(queue.get() for _ in workers))
    for one in workers:
        one.join()
    print([one.exitcode for one in workers])
