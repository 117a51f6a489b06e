# SPDX-License-Identifier: Apache-2.0
"""Child processes and signal handlers in asyncio's loop."""
import asyncio
import os
import signal
import sys


async def child(number):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", f"print(input()[::-1]); raise SystemExit({number})",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )
    text, _ = await process.communicate(b"text\n")
    return process.returncode, text


async def main():
    loop = asyncio.get_running_loop()
    got = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, got.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.wait_for(got.wait(), 10)
    print(await asyncio.gather(*(child(number) for number in range(4))))
    shell = await asyncio.create_subprocess_shell("exit 9")
    print(await shell.wait())
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(60)")
    process.terminate()
    print(await process.wait())


asyncio.run(main())
