# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_ALLOCATION_CALLS
"""Forks while other threads are inside the allocator: the child allocates, frees what it has inherited, and ends."""
import ctypes
import os
import warnings

warnings.simplefilter("ignore")
calls = ctypes.CDLL(os.environ["HOSTILE_ALLOCATION_CALLS"])
inherited = [bytearray(700000) for _ in range(20)]
small = [bytes(900) for _ in range(5000)]
calls.StartChurn(3)
ends = []
for number in range(30):
    child = os.fork()
    if child == 0:
        inherited.clear()
        small.clear()
        more = [bytearray(700000) for _ in range(5)] + [bytes(800) for _ in range(2000)]
        os._exit(calls.ChurnAlone(2000) + len(more) % 5)
    ends.append(os.waitpid(child, 0)[1])
print(ends.count(0), calls.StopChurn())
print(len(inherited), sum(map(len, small)))
