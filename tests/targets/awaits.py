# SPDX-License-Identifier: Apache-2.0
"""Tasks that wait at three lines, by different chains, with some work between. argv: truth file, seconds."""

import asyncio
import json
import sys
import time

TRUTH = {"nap": 0.0, "get": 0.0, "set": 0.0}
ROUNDS = 200_000  # 10 ms or so


class Awaiting:
    """Adds the time of one await, until the task goes on, to the truth."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.begin = time.perf_counter()

    def __exit__(self, *exception):
        TRUTH[self.name] += time.perf_counter() - self.begin


def work(rounds):
    x = 0
    for i in range(rounds): x = (x * 31 + i) & 0xFFFF


async def nap(seconds):
    with Awaiting("nap"):
        await asyncio.sleep(seconds)  # mark: nap


async def naps(seconds, count):
    for _ in range(count):
        yield await nap(seconds)


async def producer(jobs, seconds, count):
    async for _ in naps(seconds, count):
        work(ROUNDS)
        jobs.put_nowait(1)
    jobs.put_nowait(None)


async def consumer(jobs, done):
    while True:
        with Awaiting("get"):
            job = await jobs.get()  # mark: get
        if job is None:
            done.set()
            return
        work(2 * ROUNDS)


async def waiter(done):
    with Awaiting("set"):
        await done.wait()  # mark: set


async def main(seconds):
    jobs, done = asyncio.Queue(), asyncio.Event()
    coroutines = [producer(jobs, seconds / 8, 8), consumer(jobs, done), waiter(done), waiter(done)]
    await asyncio.gather(*[asyncio.ensure_future(coroutine) for coroutine in coroutines])


asyncio.run(main(float(sys.argv[2])))
with open(sys.argv[1], "w") as file:
    json.dump(TRUTH, file)
