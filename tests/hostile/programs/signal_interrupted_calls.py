# SPDX-License-Identifier: Apache-2.0
"""Sleep, select, poll, epoll and read with signals of the program: EINTR is retried, timeouts are kept."""
import os
import select
import signal
import time

seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
reader, writer = os.pipe()
poll, epoll = select.poll(), select.epoll()
poll.register(reader, select.POLLIN)
epoll.register(reader, select.EPOLLIN)
for wait in (
    lambda: time.sleep(0.1),
    lambda: select.select([reader], [], [], 0.1),
    lambda: poll.poll(100),
    lambda: epoll.poll(0.1),
):
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    start = time.monotonic()
    result = wait()
    took = time.monotonic() - start
    print(result, took >= 0.099, len(seen))


def interrupt(*_):
    raise InterruptedError("mine")


signal.signal(signal.SIGALRM, interrupt)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    os.read(reader, 1)
except InterruptedError as error:
    print(error)
