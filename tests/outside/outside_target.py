# SPDX-License-Identifier: Apache-2.0
"""Threads and tasks that wait at known lines until stdin ends; tells of itself as JSON. Loads nothing of pyrometer."""

import asyncio
import ctypes
import inspect
import json
import os
import sys
import threading
import time
import types

LOCK = threading.Lock()
PIPE = os.pipe()
TASKS = threading.Semaphore(0)
TRUTH = {}  # name of a thread or task -> line where it waits


def here(name):
    """`name` waits in the line below the caller's."""
    TRUTH[name] = inspect.currentframe().f_back.f_lineno + 1


def sleep():
    here("sleep")
    time.sleep(1000)


def lock():
    here("lock")
    LOCK.acquire()


def io():
    here("io")
    os.read(PIPE[0], 1)


async def nap():
    here("nap")
    await asyncio.sleep(1000)


async def tasks():
    task = asyncio.create_task(nap(), name="nap")
    await asyncio.sleep(0)
    TASKS.release()
    await task


def short_threads():
    """One after the other, as long as the process lives."""
    number = 0
    while True:
        number += 1
        thread = threading.Thread(target=time.sleep, args=(0.2,), name=f"short-{number}")
        thread.start()
        thread.join()


def main():
    LOCK.acquire()
    for function in sleep, lock, io, short_threads:
        threading.Thread(target=function, name=function.__name__, daemon=True).start()
    threading.Thread(target=lambda: asyncio.run(tasks()), name="loop", daemon=True).start()
    TASKS.acquire()
    while len(TRUTH) < 4:
        time.sleep(0.01)
    runtime = ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime"))
    types_ = {
        "code": id(types.CodeType),
        "generator": id(types.GeneratorType),
        "coroutine": id(types.CoroutineType),
        "async_generator": id(types.AsyncGeneratorType),
    }
    told = {"pid": os.getpid(), "version": sys.hexversion, "runtime": runtime, "types": types_, "lines": TRUTH}
    print(json.dumps(told), flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
