# SPDX-License-Identifier: Apache-2.0
"""Loops that do one thing only, each of which a profiler stands in the way of: calls, locks, system calls, copies."""

import os
import queue
import threading


def call(loops):
    def nothing():
        pass

    for _ in range(loops * 100_000):
        nothing()


def lock(loops):
    """Two threads that want the same lock all the time."""
    wanted = threading.Lock()

    def work():
        for _ in range(loops * 20_000):
            with wanted:
                pass

    other = threading.Thread(target=work)
    other.start()
    work()
    other.join()


def ping_pong(loops):
    """Two threads that wait for each other: each item is two waits."""
    there, back = queue.Queue(), queue.Queue()
    count = loops * 2_000

    def answer():
        for _ in range(count):
            back.put(there.get())

    other = threading.Thread(target=answer)
    other.start()
    for number in range(count):
        there.put(number)
        back.get()
    other.join()


def stat(loops):
    for _ in range(loops * 20_000):
        os.stat("/")


def copy(loops):
    source = bytearray(16384)
    for _ in range(loops * 10_000):
        bytes(source)


def churn(loops):
    """Small objects that live for a moment."""
    for _ in range(loops * 200):
        [[number] for number in range(500)]


LOOPS = {
    "loop_call": call,
    "loop_lock": lock,
    "loop_queue": ping_pong,
    "loop_stat": stat,
    "loop_copy": copy,
    "loop_churn": churn,
}
