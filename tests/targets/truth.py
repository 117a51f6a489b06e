# SPDX-License-Identifier: Apache-2.0
"""What a program knows about itself: CPU, wall and run-queue time of its phases."""
import json
import resource
import sys
import time


def _run_delay_ns():
    # Second field: time this thread was runnable but had no CPU.
    with open("/proc/thread-self/schedstat") as stat:
        return int(stat.read().split()[1])


def _moment():
    """Wall, CPU and run-queue time of this thread, all of one moment: on a busy machine others may run in between."""
    delay = None
    while delay != (delay := _run_delay_ns()):
        wall, cpu = time.monotonic_ns(), time.thread_time_ns()
    return wall, cpu, delay


class Phase:
    """A named stretch of work of one thread; enter it as often as needed, but not thousands of times a second: each time
    asks for the thread's CPU time, and on a busy machine the kernel's ticks seldom meet a thread that asks all the time
    (docs/design/0002-clocks.md)."""

    def __init__(self, name):
        self.name = name
        self.cpu_ns = self.wait_ns = 0
        self._calls = self._calls_ns = 0

    def __enter__(self):
        self._wall = time.monotonic_ns()
        self._cpu = time.thread_time_ns()

    def __exit__(self, *exc):
        cpu = time.thread_time_ns() - self._cpu
        self.cpu_ns += cpu
        self.wait_ns += time.monotonic_ns() - self._wall - cpu


    def until(self, goal_ns, function):
        """Calls `function` until the phase has about `goal_ns` of CPU time: all calls at once, as far as that is known."""
        while self.cpu_ns + self._each_ns() / 2 < goal_ns:
            count = max(1, int((goal_ns - self.cpu_ns) / self._each_ns())) if self._calls else 1
            before = self.cpu_ns
            with self:
                for _ in range(count): function()
            self._calls += count
            self._calls_ns += self.cpu_ns - before

    def _each_ns(self):
        return self._calls_ns / self._calls if self._calls else 0


class WaitPhase(Phase):
    """A phase that blocks: what it waited for a CPU is not part of its wait."""

    def __enter__(self):
        self._begin = _moment()

    def __exit__(self, *exc):
        wall, cpu, delay = (now - then for now, then in zip(_moment(), self._begin))
        self.cpu_ns += cpu
        self.wait_ns += wall - cpu - delay


class Truth:
    """All phases of a program, those of one name summed; `write` leaves them in the file that a test reads."""

    def __init__(self):
        self._phases = []

    def phase(self, name):
        self._phases.append(Phase(name))
        return self._phases[-1]

    def wait(self, name):
        self._phases.append(WaitPhase(name))
        return self._phases[-1]

    def write(self, path):
        phases = {}
        for phase in self._phases:
            sums = phases.setdefault(phase.name, {"cpu": 0, "wait": 0})
            sums["cpu"] += phase.cpu_ns / 1e9
            sums["wait"] += phase.wait_ns / 1e9
        facts = {
            "phases": phases,
            "process_cpu": time.process_time_ns() / 1e9,
            "process_system": resource.getrusage(resource.RUSAGE_SELF).ru_stime,
            "gil": getattr(sys, "_is_gil_enabled", lambda: True)(),
        }
        with open(path, "w") as out:
            json.dump(facts, out)
