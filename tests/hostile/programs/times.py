# SPDX-License-Identifier: Apache-2.0
"""Clocks are sane: CPU time does not run ahead of wall time, children's time is counted, nothing jumps."""
import os
import resource
import time

start, cpu, thread = time.monotonic(), time.process_time(), time.thread_time()
while time.process_time() - cpu < 0.2:
    pass
wall, spent, own = time.monotonic() - start, time.process_time() - cpu, time.thread_time() - thread
print(spent <= wall + 0.01, abs(spent - own) < 0.05)
times = os.times()
# Both are cut to whole ticks of 10 ms.
print(times.user + times.system > 0.2 - 2 * 0.011, times.children_user + times.children_system < 0.01)
child = os.fork()
if child == 0:
    cpu = time.process_time()
    while time.process_time() - cpu < 0.1:
        pass
    os._exit(0)
pid, status, usage = os.wait4(child, 0)
print(status, 0.09 < usage.ru_utime + usage.ru_stime < 0.5)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(0.09 < usage.ru_utime + usage.ru_stime < 0.5, time.get_clock_info("monotonic").resolution)
