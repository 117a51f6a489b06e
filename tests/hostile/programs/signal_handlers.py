# SPDX-License-Identifier: Apache-2.0
"""Handlers of the program for ordinary and real-time signals, and what signal.signal gives back."""
import os
import signal
import time

seen = []
numbers = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGCHLD]
numbers += [signal.SIGTERM]
numbers += range(signal.SIGRTMIN, signal.SIGRTMAX + 1)
for number in numbers:
    before = signal.signal(number, lambda number, frame: seen.append(int(number)))
    print(int(number), before, signal.getsignal(number) is None)
for number in numbers:
    os.kill(os.getpid(), number)
    time.sleep(0)
print(seen)
for number in numbers:
    signal.signal(number, signal.SIG_IGN)
    os.kill(os.getpid(), number)
print(seen == list(map(int, numbers)), sorted(map(int, signal.valid_signals())) == sorted(set(range(1, 65)) - {32, 33}))
for number in numbers:
    print(signal.signal(number, signal.SIG_DFL), end=" ")
