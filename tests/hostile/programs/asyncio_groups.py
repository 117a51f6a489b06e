# SPDX-License-Identifier: Apache-2.0
"""TaskGroup and exception groups: the tree of errors is printed as ever."""
# since: 3.11
import asyncio


async def fail(number, start):
    await start.wait()
    raise ValueError(number)


async def main():
    # Both in one turn of the loop: with a clock instead, the first may end the group before the second is due.
    start = asyncio.Event()
    asyncio.get_running_loop().call_later(0.01, start.set)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fail(1, start))
            group.create_task(fail(2, start))
    except* ValueError as errors:
        print(len(errors.exceptions))
    async with asyncio.timeout(1):
        await asyncio.sleep(0)
    async with asyncio.TaskGroup() as group:
        group.create_task(fail(3, start))


asyncio.run(main())
