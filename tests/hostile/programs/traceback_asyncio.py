# SPDX-License-Identifier: Apache-2.0
"""An exception that leaves asyncio.run, with the frames of the tasks."""
import asyncio


async def leaf():
    await asyncio.sleep(0.01)
    raise ValueError("in a task")


async def main():
    results = await asyncio.gather(leaf(), leaf(), return_exceptions=True)
    print(results)
    await asyncio.create_task(leaf())


asyncio.run(main())
