# SPDX-License-Identifier: Apache-2.0
"""Counts interrupted system calls, in C and in Python. argv: seconds, at least: on a busy machine it takes longer, until
enough CPU time was used for a profiler to take samples. Prints only what is the same in every run.

Each blocking call follows a little work, so that a timer of a profiler is often due when the thread blocks.
"""
import ctypes
import errno
import os
import random
import select
import signal
import socket
import sys
import threading
import time

BLOCK_SECONDS = 0.001
CPU_PART = 0.15  # of the seconds, at least
libc = ctypes.CDLL(None, use_errno=True)
libc.read.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]


class TimeSpec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


class TimeVal(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("microseconds", ctypes.c_long)]


def nanosleep():
    return libc.nanosleep(ctypes.byref(TimeSpec(0, int(BLOCK_SECONDS * 1e9))), None)


def select_call():
    return libc.select(0, None, None, None, ctypes.byref(TimeVal(0, int(BLOCK_SECONDS * 1e6))))


def poll_call():
    return libc.poll(None, 0, max(1, int(BLOCK_SECONDS * 1e3)))


class Feeder:
    """A pipe into which another thread writes one byte from time to time."""

    def __init__(self, stop):
        self._read, self._write = os.pipe()
        self._stop = stop
        threading.Thread(target=self._feed, daemon=True).start()

    def _feed(self):
        while not self._stop.is_set():
            time.sleep(BLOCK_SECONDS)
            os.write(self._write, b"x")

    def read(self):
        return libc.read(self._read, ctypes.create_string_buffer(1), 1)


def rounds(seconds, cpu_part=0):
    """Goes on for some time, and some CPU time, which is seldom asked for."""
    end, cpu_end = time.monotonic() + seconds, time.thread_time() + cpu_part * seconds
    while time.monotonic() < end or time.thread_time() < cpu_end:
        yield from range(50)


def interrupted(call, seconds):
    """How often `call` failed with EINTR."""
    rng = random.Random(13)
    found = 0
    for _ in rounds(seconds, CPU_PART):
        x = 0
        for i in range(rng.randrange(200, 4000)): x = (x * 31 + i) & 0xFFFF
        ctypes.set_errno(0)
        if call() == -1:
            found += ctypes.get_errno() == errno.EINTR
    return found


def short_sleeps(seconds):
    """How many Python-level waits ended before their time."""
    near, _far = socket.socketpair()
    near.settimeout(BLOCK_SECONDS)
    short = 0
    for _ in rounds(seconds):
        for wait in (
            lambda: time.sleep(BLOCK_SECONDS),
            lambda: select.select([near], [], [], BLOCK_SECONDS),
            lambda: signal.sigtimedwait([signal.SIGUSR2], BLOCK_SECONDS),
            lambda: threading.Event().wait(BLOCK_SECONDS),
        ):
            start = time.monotonic()
            wait()
            short += time.monotonic() - start < BLOCK_SECONDS * 0.99
        try:
            near.recv(1)
        except socket.timeout:
            pass
    return short


def main(seconds):
    stop = threading.Event()
    calls = {"nanosleep": nanosleep, "select": select_call, "poll": poll_call, "read": Feeder(stop).read}
    for name, call in calls.items():
        print(name, interrupted(call, seconds / 5))
    print("python", short_sleeps(seconds / 5))
    stop.set()


main(float(sys.argv[1]))
