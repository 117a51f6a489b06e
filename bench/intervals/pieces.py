# SPDX-License-Identifier: Apache-2.0
"""CPU time of pieces of work that alternate too quickly to ask the thread's CPU clock about each."""

import statistics
import time
from collections import defaultdict

ENOUGH = 8  # pieces of a phase, to know how long one takes

class Pieces:
    """A stretch of work of one thread that is made of pieces, thousands a second: enter it ten or a hundred times a second.

    Each piece is timed by the clock on the wall, which the kernel need not be asked for (tests/README.md says why not);
    the thread's CPU clock says how much of that it had no CPU.
    """

    def __init__(self):
        self.cpu_ns = 0
        self._walls = []  # (phase, ns)

    def __enter__(self):
        self._walls.clear()
        self._cpu = time.thread_time_ns()
        self._last = time.perf_counter_ns()
        return self

    def done(self, phase):
        """What has run since the last call was a piece of this phase; of None: it is nobody's."""
        now = time.perf_counter_ns()
        self._walls.append((phase, now - self._last))
        self._last = now

    def __exit__(self, *exc):
        cpu_ns = time.thread_time_ns() - self._cpu
        self.cpu_ns += cpu_ns
        for phase, ns in cpu_of_pieces(self._walls, cpu_ns).items():
            if phase is not None:
                phase.cpu_ns += ns


def cpu_of_pieces(walls, cpu_ns):
    """Phase -> CPU time of all pieces (phase, ns on the wall) that used `cpu_ns` together.

    Time without a CPU lies in the few pieces that took longer than others of their phase (than all others, where these
    are too few to tell): it is taken off these, the farthest off first. A piece should be much shorter than the time
    that a thread has its CPU for.
    """
    of_phase = defaultdict(list)
    for phase, ns in walls:
        of_phase[phase].append(ns)
    usual = statistics.median(ns for phase, ns in walls if phase is not None)
    typical = {
        phase: statistics.median(pieces) if len(pieces) >= ENOUGH else usual for phase, pieces in of_phase.items()
    }
    sums = {phase: sum(pieces) for phase, pieces in of_phase.items()}
    waited = sum(sums.values()) - cpu_ns
    for late, phase in sorted(((ns - typical[phase], phase) for phase, ns in walls), key=_late, reverse=True):
        if waited <= 0 or late <= 0:
            break
        sums[phase] -= min(late, waited)
        waited -= min(late, waited)
    return sums


def _late(entry):
    return entry[0]
