# SPDX-License-Identifier: Apache-2.0
"""uvloop, where it is installed."""
import asyncio
import sys

try:
    import uvloop
except ImportError:
    print("no uvloop")
    sys.exit(0)


async def main():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(5)", stdout=asyncio.subprocess.PIPE)
    print(await process.communicate(), await asyncio.gather(asyncio.sleep(0.01, 1), asyncio.sleep(0, 2)))


uvloop.install()
asyncio.run(main())
