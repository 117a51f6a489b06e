# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_ALLOCATION_CALLS
"""Threads whose last act is to free and allocate in destructors of their own, when much of the thread is gone."""
import ctypes
import os
import threading

calls = ctypes.CDLL(os.environ["HOSTILE_ALLOCATION_CALLS"])
print(calls.ThreadsThatFreeAtTheirEnd(400))
local = threading.local()


class Last:
    def __del__(self):
        self.block = bytearray(200000)


def leave():
    local.last = Last()
    local.blocks = [bytes(5000) for _ in range(50)]


for _ in range(100):
    thread = threading.Thread(target=leave)
    thread.start()
    thread.join()
print(hasattr(local, "last"))
