# SPDX-License-Identifier: Apache-2.0
"""Thread identities, names, stack sizes, local data, locks with timeouts and barriers."""
import os
import sys
import threading

print([thread.name for thread in threading.enumerate()], threading.get_native_id() == os.getpid())
print(sys._current_frames().keys() == {threading.get_ident()})
threading.stack_size(256 * 1024)
local, barrier, results = threading.local(), threading.Barrier(8), []


def recurse(depth):
    return recurse(depth - 1) + 1 if depth else 0


def work(number):
    local.value = number
    barrier.wait()
    results.append((local.value, recurse(200), threading.current_thread().name))


threads = [threading.Thread(target=work, args=(number,), name="worker %d" % number) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results), hasattr(local, "value"), threading.stack_size())
lock = threading.Lock()
lock.acquire()
print(lock.acquire(timeout=0.05), threading.Condition().acquire(), threading.active_count())
print(len(os.listdir("/proc/self/task")))
