# SPDX-License-Identifier: Apache-2.0
"""ProcessPoolExecutor: results, an exception with its remote traceback, a worker that dies."""
import concurrent.futures
import multiprocessing
import os


def work(number):
    return sum(range(number))


def fail(_):
    raise ValueError("from the worker")


def die(_):
    os._exit(1)


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        print(list(pool.map(work, range(0, 10000, 1000))))
        try:
            pool.submit(fail, 0).result()
        except ValueError as error:
            print(error, str(error.__cause__))
        try:
            pool.submit(die, 0).result()
        except concurrent.futures.process.BrokenProcessPool as error:
            print(error)
