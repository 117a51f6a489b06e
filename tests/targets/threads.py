# SPDX-License-Identifier: Apache-2.0
"""Four threads with CPU loads 4:3:2:1 beside ten blocked in recv. argv: truth file, CPU seconds."""
import socket
import sys
import threading

from truth import Truth

BLOCKED = 10


def first(phase, goal_ns):
    x = 1
    while phase.cpu_ns < goal_ns:
        with phase:
            for i in range(200000): x = (x * 31 + i) & 0xFFFF  # mark: first


def second(phase, goal_ns):
    x = 1
    while phase.cpu_ns < goal_ns:
        with phase:
            for i in range(200000): x = (x * 31 + i) & 0xFFFF  # mark: second


def third(phase, goal_ns):
    x = 1
    while phase.cpu_ns < goal_ns:
        with phase:
            for i in range(200000): x = (x * 31 + i) & 0xFFFF  # mark: third


def fourth(phase, goal_ns):
    x = 1
    while phase.cpu_ns < goal_ns:
        with phase:
            for i in range(200000): x = (x * 31 + i) & 0xFFFF  # mark: fourth


def blocked(phase, channel):
    with phase:
        channel.recv(1)  # mark: recv


def main(path, seconds):
    truth = Truth()
    pairs = [socket.socketpair() for _ in range(BLOCKED)]
    waiting = [
        threading.Thread(target=blocked, args=(truth.wait("recv"), near))
        for near, _ in pairs
    ]
    busy = [
        threading.Thread(
            target=function, name=function.__name__, args=(truth.phase(function.__name__), share * seconds * 1e8)
        )
        for function, share in ((first, 4), (second, 3), (third, 2), (fourth, 1))
    ]
    for thread in waiting + busy:
        thread.start()
    for thread in busy:
        thread.join()
    for _, end in pairs:
        end.send(b"x")
    for thread in waiting:
        thread.join()
    truth.write(path)


main(sys.argv[1], float(sys.argv[2]))
