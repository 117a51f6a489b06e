# SPDX-License-Identifier: Apache-2.0
"""Starts children, or lets a pool work. argv: program, count, result file (its wall and CPU time, children included)."""

import json
import multiprocessing
import os
import resource
import subprocess
import sys
import time


def fork(count):
    for _ in range(count):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)


def command(count):
    for _ in range(count):
        subprocess.run([sys.executable, "-S", "-E", "-c", "pass"], check=True)


def spawn(count):
    context = multiprocessing.get_context("spawn")
    for _ in range(count):
        child = context.Process(target=int)
        child.start()
        child.join()


def task(number):
    """A few milliseconds of work."""
    return sum(i * i & number for i in range(50_000))


def pool(count):
    with multiprocessing.Pool(2) as workers:
        workers.map(task, range(count), chunksize=4)
        workers.close()
        workers.join()


PROGRAMS = {"fork": fork, "command": command, "spawn": spawn, "pool": pool}


def cpu():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


if __name__ == "__main__":
    start = time.perf_counter(), cpu()
    PROGRAMS[sys.argv[1]](int(sys.argv[2]))
    with open(sys.argv[3], "w") as out:
        json.dump({"wall": time.perf_counter() - start[0], "cpu": cpu() - start[1]}, out)
