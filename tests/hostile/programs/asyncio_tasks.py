# SPDX-License-Identifier: Apache-2.0
"""gather, timeouts, cancellation, queues, threads and context variables in asyncio."""
import asyncio
import contextvars

name = contextvars.ContextVar("name", default="nobody")


async def worker(number, queue):
    name.set("worker %d" % number)
    await asyncio.sleep(0.01 * number)
    await queue.put((number, name.get()))
    return await asyncio.get_running_loop().run_in_executor(None, sum, range(1000 * number))


async def forever():
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        print("cancelled", name.get())
        raise


async def main():
    queue = asyncio.Queue()
    print(await asyncio.gather(*(worker(number, queue) for number in range(5))))
    print([queue.get_nowait() for _ in range(5)], name.get())
    task = asyncio.ensure_future(forever())
    await asyncio.sleep(0.01)
    task.cancel()
    print(await asyncio.gather(task, return_exceptions=True))
    try:
        await asyncio.wait_for(forever(), 0.02)
    except asyncio.TimeoutError:
        print("timeout", len(asyncio.all_tasks()))


asyncio.run(main())
