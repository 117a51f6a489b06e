# SPDX-License-Identifier: Apache-2.0
"""sigaltstack by ctypes: before it is as Python left it, the own one stays."""
import ctypes
import time


class Stack(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]


libc = ctypes.CDLL(None, use_errno=True)
old, memory = Stack(), ctypes.create_string_buffer(1 << 16)
print(libc.sigaltstack(None, ctypes.byref(old)), old.address is None, old.flags, old.size)
mine = Stack(ctypes.addressof(memory), 0, 1 << 16)
print(libc.sigaltstack(ctypes.byref(mine), None))
deadline = time.process_time() + 0.2
while time.process_time() < deadline:
    pass
print(libc.sigaltstack(None, ctypes.byref(old)), old.address == mine.address, old.flags, old.size)
# Memory that is given back must not stay a signal stack: handlers of anybody would run there.
print(libc.sigaltstack(ctypes.byref(Stack(None, 2, 0)), None))
