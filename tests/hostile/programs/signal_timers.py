# SPDX-License-Identifier: Apache-2.0
"""The program's own interval timers count as they should, all three at once."""
import signal
import time

counts = {signal.SIGALRM: 0, signal.SIGVTALRM: 0, signal.SIGPROF: 0}


def count(number, frame):
    counts[number] += 1


for number, kind in zip(counts, (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)):
    signal.signal(number, count)
    print(signal.setitimer(kind, 0.02, 0.02))
while min(counts.values()) < 10:
    sum(range(1000))
for kind in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
    print(len(signal.setitimer(kind, 0)))
signal.alarm(100)
print(90 < signal.alarm(0) <= 100, signal.getitimer(signal.ITIMER_REAL))
