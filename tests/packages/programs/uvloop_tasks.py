# SPDX-License-Identifier: Apache-2.0
"""asyncio on uvloop: tasks that work and sleep in turn, and a stream between two of them. argv: rounds, loops."""
import asyncio
import sys

import uvloop
from burning import Burning


async def red(rounds, loops):
    x = 0
    for _ in range(rounds):
        with Burning("red"):
            for i in range(loops): x = (x * 31 + i) & 0xFFFF  # mark: red
        await asyncio.sleep(0.01)
    return x


async def blue(rounds, loops):
    x = 0
    for _ in range(rounds):
        with Burning("blue"):
            for i in range(3 * loops): x = (x * 31 + i) & 0xFFFF  # mark: blue
        await asyncio.sleep(0.01)
    return x


async def echo(reader, writer):
    while True:
        line = await reader.readline()
        if not line:
            break
        with Burning("echo"):
            text = bytes(reversed(line * 20000))[-len(line) :]  # mark: echo
        writer.write(text.strip() + b"\n")
    writer.close()


async def talk(path, rounds):
    reader, writer = await asyncio.open_unix_connection(path)
    answers = []
    for number in range(rounds):
        writer.write(b"hello %d\n" % number)
        answers.append(await reader.readline())
    writer.close()
    return answers


async def main(path, rounds, loops):
    server = await asyncio.start_unix_server(echo, path)
    print(type(asyncio.get_running_loop()).__module__)
    print(await asyncio.gather(red(rounds, loops), blue(rounds, loops), talk(path, rounds)))
    server.close()
    await asyncio.sleep(0.5)


uvloop.install()
asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
