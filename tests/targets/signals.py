# SPDX-License-Identifier: Apache-2.0
"""Uses the timers, signals and masks that profilers like to take. Prints what it saw; the same with any profiler."""
import os
import signal
import threading

from burning import rounds

CPU_SECONDS = 0.4
ENOUGH, PATIENCE = 5, 100
seen = {}


def count(number, frame):
    seen[number] = seen.get(number, 0) + 1


def burn(seconds):
    x = 0
    for count in rounds(seconds, "burn"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: burn


def burn_masked(seconds):
    x = 0
    for count in rounds(seconds, "masked"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: masked


def dispositions():
    """How each signal looks before the program touches any."""
    return [(int(number), str(signal.getsignal(number))) for number in sorted(signal.valid_signals())]


def timers():
    for number, timer in (
        (signal.SIGPROF, signal.ITIMER_PROF),
        (signal.SIGALRM, signal.ITIMER_REAL),
        (signal.SIGVTALRM, signal.ITIMER_VIRTUAL),
    ):
        signal.signal(number, count)
        before = signal.setitimer(timer, 0.02, 0.02)
        burn(CPU_SECONDS)
        # The tick rate of the kernel allows 20 expiries; a busy machine merges most, and more work brings more.
        for _ in range(PATIENCE):
            if seen.get(number, 0) < ENOUGH:
                burn(CPU_SECONDS / 4)
        left, interval = signal.setitimer(timer, 0)
        print("timer", before, 0 < left <= 0.05, round(interval, 2), seen.pop(number, 0) >= ENOUGH)


def masked(result):
    everything = signal.valid_signals()
    signal.pthread_sigmask(signal.SIG_BLOCK, everything)
    burn_masked(CPU_SECONDS)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    result.append(sorted(int(number) for number in blocked))
    result.append(sorted(int(number) for number in signal.sigpending()))


def masks():
    result = []
    thread = threading.Thread(target=masked, args=(result,))
    thread.start()
    thread.join()
    print("masked", result)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    os.kill(os.getpid(), signal.SIGUSR1)
    burn(0.05)
    print("waited", signal.sigwait([signal.SIGUSR1]) == signal.SIGUSR1)
    print("mask", sorted(signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])))


def every_signal():
    fatal = {signal.SIGKILL, signal.SIGSTOP}
    received = []
    for number in sorted(signal.valid_signals() - fatal):
        signal.signal(number, lambda got, frame: received.append(got))
        signal.pthread_kill(threading.get_ident(), number)
        burn(0.01)
        signal.signal(number, signal.SIG_DFL)
    print("handled", [int(number) for number in received])


print("initial", dispositions())
timers()
masks()
every_signal()
