# SPDX-License-Identifier: Apache-2.0
"""TaskGroup and exception groups: the tree of errors is printed as ever."""
# since: 3.11
import asyncio


async def fail(number):
    await asyncio.sleep(0.01)
    raise ValueError(number)


async def main():
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fail(1))
            group.create_task(fail(2))
    except* ValueError as errors:
        print(len(errors.exceptions))
    async with asyncio.timeout(1):
        await asyncio.sleep(0)
    async with asyncio.TaskGroup() as group:
        group.create_task(fail(3))


asyncio.run(main())
