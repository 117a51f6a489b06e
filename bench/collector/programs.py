# SPDX-License-Identifier: Apache-2.0
"""Programs that mostly wait: servers with their clients, tasks, queues. argv: program, rounds."""

import asyncio
import http.client
import http.server
import random
import sqlite3
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "overhead"))

from loops import ping_pong

CLIENTS = 20
LINE = b"x" * 64 + b"\n"


async def echo(rounds):
    """Twenty clients that talk to one server over sockets, as fast as they can."""

    async def serve(reader, writer):
        while line := await reader.readline():
            writer.write(line)
        writer.close()

    async def talk(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(rounds):
            writer.write(LINE)
            await reader.readline()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    await asyncio.gather(*(talk(port) for _ in range(CLIENTS)))
    server.close()


def asyncio_echo(rounds):
    asyncio.run(echo(rounds))


def uvloop_echo(rounds):
    import uvloop

    uvloop.run(echo(rounds))


def gevent_echo(rounds):
    import gevent
    import gevent.server
    import gevent.socket

    def serve(connection, _):
        while data := connection.recv(4096):
            connection.sendall(data)

    def talk(port):
        with gevent.socket.create_connection(("127.0.0.1", port)) as connection:
            for _ in range(rounds):
                connection.sendall(LINE)
                connection.recv(4096)

    server = gevent.server.StreamServer(("127.0.0.1", 0), serve)
    server.start()
    gevent.joinall([gevent.spawn(talk, server.server_port) for _ in range(CLIENTS)])
    server.stop()


def ask(port, rounds):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(rounds):
        connection.request("GET", "/")
        connection.getresponse().read()


def ask_beside(port, rounds, clients=4):
    threads = [threading.Thread(target=ask, args=(port, rounds)) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def fastapi(rounds):
    import fastapi
    import uvicorn

    application = fastapi.FastAPI()

    @application.get("/")
    async def answer():
        await asyncio.sleep(0.002)
        return {"numbers": list(range(50))}

    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    ask_beside(server.servers[0].sockets[0].getsockname()[1], rounds)
    server.should_exit = True
    thread.join()


def aiohttp(rounds):
    import aiohttp
    from aiohttp import web

    async def answer(_):
        await asyncio.sleep(0.002)
        return web.json_response(list(range(50)))

    async def talk(session, port):
        for _ in range(rounds):
            async with session.get(f"http://127.0.0.1:{port}/") as response:
                await response.json()

    async def main():
        application = web.Application()
        application.router.add_get("/", answer)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        async with aiohttp.ClientSession() as session:
            await asyncio.gather(*(talk(session, port) for _ in range(4)))
        await runner.cleanup()

    asyncio.run(main())


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.02)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def slow_server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def threads_server(rounds):
    """A thread for each request, which sleeps."""
    server = slow_server()
    ask_beside(server.server_port, rounds)
    server.shutdown()


def requests(rounds):
    import requests

    server = slow_server()
    for _ in range(rounds):
        requests.get(f"http://127.0.0.1:{server.server_port}/", timeout=60)
    server.shutdown()


def sleepers(rounds):
    """A thousand tasks that sleep for 10 to 200 ms each time."""

    async def nap(chance):
        for _ in range(rounds):
            await asyncio.sleep(chance.uniform(0.01, 0.2))

    async def main():
        await asyncio.gather(*(nap(random.Random(seed)) for seed in range(1000)))

    asyncio.run(main())


def database(rounds):
    """Coroutines that ask a database through threads."""

    def work(number):
        with sqlite3.connect(":memory:") as connection:
            return connection.execute("select ?", (number,)).fetchone()

    async def client():
        for number in range(rounds):
            await asyncio.to_thread(work, number)

    async def main():
        await asyncio.gather(*(client() for _ in range(4)))

    asyncio.run(main())


def idle(rounds):
    """Twenty threads that wait for what never comes, for `rounds` tenths of a second."""
    end = threading.Event()
    threads = [threading.Thread(target=end.wait) for _ in range(20)]
    for thread in threads:
        thread.start()
    time.sleep(rounds / 10)
    end.set()


# With rounds for some five seconds.
PROGRAMS = {
    "asyncio_echo": (asyncio_echo, 2500),
    "uvloop_echo": (uvloop_echo, 6000),
    "gevent_echo": (gevent_echo, 5000),
    "fastapi": (fastapi, 600),
    "aiohttp": (aiohttp, 700),
    "threads_server": (threads_server, 200),
    "requests": (requests, 200),
    "queues": (ping_pong, 75),
    "sleepers": (sleepers, 40),
    "database": (database, 3000),
    "idle": (idle, 50),
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]][0](int(sys.argv[2]))
