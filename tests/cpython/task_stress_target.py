# SPDX-License-Identifier: Apache-2.0
"""Tasks that start, switch and end as fast as they can, until stdin ends.

Every chain has a known shape: what a function may await is in CALLS. Runs on 3.8+.
"""

import asyncio
import ctypes
import json
import os
import random
import sys
import threading
import types

# function -> functions that may stand right inside of it
CALLS = {
    "worker": ["left", "right", "consume"],
    "left": ["right", "pause"],
    "right": ["left", "pause", "consume"],
    "consume": ["produce"],
    "produce": ["pause", "left"],
    "pause": [],
    "main": ["pause"],
}


async def pause(future):
    await future


def later(loop):
    future = loop.create_future()
    loop.call_soon(lambda: None if future.done() else future.set_result(None))
    return future


async def left(loop, depth):
    for _ in range(random.randrange(1, 3)):
        if depth > 0:
            await right(loop, depth - 1)
        else:
            await pause(later(loop))


async def right(loop, depth):
    if depth <= 0:
        await pause(later(loop))
    elif depth % 2:
        await consume(loop, depth - 1)
    else:
        await left(loop, depth - 1)


async def produce(loop, depth):
    for i in range(2):
        yield i
        if depth > 2:
            await left(loop, depth - 2)
        else:
            await pause(later(loop))


async def consume(loop, depth):
    async for _ in produce(loop, depth):
        pass


async def worker(loop):
    await random.choice((left, right, consume))(loop, random.randrange(6))


async def main():
    loop = asyncio.get_running_loop()
    tasks = set()
    while True:
        while len(tasks) < 50:
            task = loop.create_task(worker(loop))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await pause(later(loop))


def tell():
    truth = {
        "pid": os.getpid(),
        "version": sys.hexversion,
        "runtime": ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime")),
        "types": {
            "code": id(types.CodeType),
            "generator": id(types.GeneratorType),
            "coroutine": id(types.CoroutineType),
            "async_generator": id(types.AsyncGeneratorType),
        },
        "calls": CALLS,
    }
    print(json.dumps(truth), flush=True)


def end_with_stdin():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_stdin, daemon=True).start()
threading.Thread(target=lambda: asyncio.run(main()), daemon=True).start()
tell()
asyncio.run(main())
