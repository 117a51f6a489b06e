# SPDX-License-Identifier: Apache-2.0
"""CPU work that measures itself: what each stretch used is added to the file that $BURNED names, if there is one.

That file, not what the program was told to do, is what a profile is compared with.
"""
import os
import resource
import time

PART_NS = 100_000_000
NEAR = 0.97


def _add(text):
    # One write to the end of the file: many processes and threads do so.
    if "BURNED" in os.environ:
        file = os.open(os.environ["BURNED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(file, text.encode() + b"\n")
        os.close(file)


def _add_stretch(mark, cpu_ns, own_ns=None):
    own_ns = cpu_ns if own_ns is None else own_ns
    _add('{"pid": %d, "mark": "%s", "cpu": %.9f, "own": %.9f}' % (os.getpid(), mark, cpu_ns / 1e9, own_ns / 1e9))


def tell_everything():
    """What this process and all that it has waited for used. Call it last."""
    _add('{"cpu": %.9f}' % _everything())


def _everything():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class Burning:
    """A stretch of work of one thread on the line that is marked with `mark`."""

    def __init__(self, mark):
        self._mark = mark

    def __enter__(self):
        self._cpu = time.thread_time_ns()

    def __exit__(self, *exc):
        _add_stretch(self._mark, time.thread_time_ns() - self._cpu)


class BurningTogether(Burning):
    """The same of all threads of this process, and of processes that end meanwhile; this thread's own part is told, too."""

    def __enter__(self):
        self._own = time.thread_time_ns()
        self._cpu = _everything()

    def __exit__(self, *exc):
        _add_stretch(self._mark, (_everything() - self._cpu) * 1e9, time.thread_time_ns() - self._own)


def rounds(seconds, mark, first=20_000):
    """A stretch of about `seconds` of CPU time, as numbers of rounds of a loop on the line that is marked with `mark`.

    `first` rounds should take a millisecond or so. The thread's CPU time is asked for ten times a second: on a busy
    machine the kernel's ticks seldom meet a thread that asks all the time, and there are few samples of it then
    (docs/design/0002-clocks.md).
    """
    begin = time.thread_time_ns()
    count, used, goal = first, 0, seconds * 1e9
    while used < NEAR * goal:
        yield count
        before, used = used, time.thread_time_ns() - begin
        count = max(1, int(count * min(PART_NS, goal - used) / (used - before)))
    _add_stretch(mark, used)
