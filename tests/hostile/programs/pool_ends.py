# SPDX-License-Identifier: Apache-2.0
"""multiprocessing.Pool: closed, terminated in the middle, and with a new worker for each task."""
import multiprocessing
import os
import time


def square(number):
    return number * number


def forever(_):
    time.sleep(600)


def mine(_):
    return os.getpid()


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    with context.Pool(3) as pool:
        print(sum(pool.imap_unordered(square, range(200), chunksize=10)))
    pool = context.Pool(2)
    pool.map_async(forever, range(10))
    time.sleep(0.05)
    pool.terminate()
    pool.join()
    with context.Pool(2, maxtasksperchild=1) as pool:
        print(len(set(pool.map(mine, range(8), chunksize=1))))
        pool.close()
        pool.join()
    print(multiprocessing.active_children())
