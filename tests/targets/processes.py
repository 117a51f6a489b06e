# SPDX-License-Identifier: Apache-2.0
"""Child processes of every kind. argv: kind, number of children, CPU seconds of each. Prints their results."""
import multiprocessing
import os
import signal
import subprocess
import sys
import time

from burning import rounds


def burn(seconds):
    x = 0
    for count in rounds(seconds, "burn"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: burn


def job(argument):
    index, seconds = argument
    burn(seconds)
    return index * index


def fork(count, seconds):
    children = []
    for index in range(count):
        child = os.fork()
        if child == 0:
            burn(seconds)
            os._exit(index % 100)
        children.append(child)
    return [os.waitpid(child, 0)[1] >> 8 for child in children]


def storm(count, seconds):
    """Each child forks again, and the middle one ends before its own child."""
    statuses = []
    for index in range(count):
        child = os.fork()
        if child == 0:
            grandchild = os.fork()
            if grandchild == 0:
                burn(seconds)
                os._exit(3)
            os._exit(os.waitpid(grandchild, 0)[1] >> 8 if index % 2 else 5)
        statuses.append(os.waitpid(child, 0)[1] >> 8)
    return statuses


def killed(count, seconds):
    statuses = []
    for _ in range(count):
        ready, done = os.pipe()
        child = os.fork()
        if child == 0:
            burn(seconds)
            os.write(done, b"x")
            while True:
                time.sleep(1)
        os.read(ready, 1)
        os.kill(child, signal.SIGKILL)
        statuses.append(os.waitpid(child, 0)[1])
    return statuses


def pool(method):
    def run(count, seconds):
        context = multiprocessing.get_context(method)
        with context.Pool(2) as workers:
            return workers.map(job, [(index, seconds) for index in range(count)], chunksize=1)

    return run


def command(count, seconds):
    words = [sys.executable, os.path.abspath(__file__), "fork", "1", str(seconds)]
    return [subprocess.run(words, stdout=subprocess.PIPE).stdout for _ in range(count)]


KINDS = {
    "fork": fork,
    "storm": storm,
    "killed": killed,
    "command": command,
    "pool-fork": pool("fork"),
    "pool-spawn": pool("spawn"),
    "pool-forkserver": pool("forkserver"),
}

if __name__ == "__main__":
    print(KINDS[sys.argv[1]](int(sys.argv[2]), float(sys.argv[3])))
