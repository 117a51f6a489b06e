# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_ALLOCATION_CALLS
"""Threads that do nothing but allocate, each freeing what others have made; libraries come and go meanwhile."""
import _ctypes
import ctypes
import ctypes.util
import os

calls = ctypes.CDLL(os.environ["HOSTILE_ALLOCATION_CALLS"])
print(calls.CorruptAfterChurn(8, 60000))
name = ctypes.util.find_library("z") or ctypes.util.find_library("m")
calls.StartChurn(3)
for _ in range(100):
    _ctypes.dlclose(_ctypes.dlopen(name, 2))
print(sum(len(bytes(1000)) for _ in range(20000)))
print(calls.StopChurn())
