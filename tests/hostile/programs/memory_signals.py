# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_ALLOCATION_CALLS
"""A signal handler that allocates: raised, and by a timer that interrupts copies."""
import ctypes
import os

calls = ctypes.CDLL(os.environ["HOSTILE_ALLOCATION_CALLS"])
size = ctypes.c_size_t
print(calls.RaisedHandlers(2000))
print([calls.CopiesUnderTimer(100, size(bytes_)) for bytes_ in (64, 5000, 1 << 20)])
