# SPDX-License-Identifier: Apache-2.0
"""A patched server and a pool of clients, each a green thread. argv: requests of each client, loops."""
import eventlet

eventlet.monkey_patch()

import socket
import sys
import threading
import time

from burning import Burning


def red(loops):
    x = 0
    with Burning("red"):
        for i in range(loops): x = (x * 31 + i) & 0xFFFF  # mark: red
    return x


def blue(loops):
    x = 1
    with Burning("blue"):
        for i in range(3 * loops): x = (x * 31 + i) & 0xFFFF  # mark: blue
    return x


def handle(connection, address):
    with connection, connection.makefile("rwb") as stream:
        for line in stream:
            name, loops = line.split()
            work = red if name == b"red" else blue
            stream.write(b"%s %d\n" % (name, work(int(loops))))
            stream.flush()


def client(port, name, requests, loops):
    answers = []
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rwb") as stream:
        for _ in range(requests):
            stream.write(b"%s %d\n" % (name, loops))
            stream.flush()
            answers.append(stream.readline())
            eventlet.sleep(0)
    return answers


def main(requests, loops):
    listener = eventlet.listen(("127.0.0.1", 0))
    server = eventlet.spawn(eventlet.serve, listener, handle)
    port = listener.getsockname()[1]
    pool = eventlet.GreenPool()
    clients = [pool.spawn(client, port, name, requests, loops) for name in (b"red", b"blue")]
    print([one.wait() for one in clients])
    thread = threading.Thread(target=time.sleep, args=(0.5,))
    thread.start()
    thread.join()
    server.kill()


main(int(sys.argv[1]), int(sys.argv[2]))
