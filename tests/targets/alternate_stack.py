# SPDX-License-Identifier: Apache-2.0
"""Uses sigaltstack itself, in two threads. Prints the state as the kernel reports it."""
import ctypes
import threading

from burning import rounds

SIZE = 64 * 1024
libc = ctypes.CDLL(None, use_errno=True)


class Stack(ctypes.Structure):
    _fields_ = [("pointer", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]


def current():
    stack = Stack()
    assert libc.sigaltstack(None, ctypes.byref(stack)) == 0
    return stack


def burn(seconds):
    x = 0
    for count in rounds(seconds, "burn"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: burn


def use(out):
    before = current()
    memory = ctypes.create_string_buffer(SIZE)
    mine = Stack(ctypes.addressof(memory), 0, SIZE)
    assert libc.sigaltstack(ctypes.byref(mine), None) == 0
    burn(0.4)
    after = current()
    out.append((before.flags, before.size, after.flags, after.size, after.pointer == mine.pointer))
    assert libc.sigaltstack(ctypes.byref(before), None) == 0


states = []
use(states)
worker = threading.Thread(target=use, args=(states,))
worker.start()
worker.join()
print(states)
