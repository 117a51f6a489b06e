# SPDX-License-Identifier: Apache-2.0
"""A server and clients on one loop."""
import asyncio


async def serve(reader, writer):
    while True:
        line = await reader.readline()
        if not line:
            break
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def client(port, number):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello %d\n" % number)
    line = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return line


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(await asyncio.gather(*(client(port, number) for number in range(10))))
    server.close()


asyncio.run(main())
