# SPDX-License-Identifier: Apache-2.0
"""The accuracy cases: which activity each marked line of a target must show."""

from dataclasses import dataclass, field
from typing import Dict, Tuple

from pyrometer_tool import TARGETS
from report_json import ON_CPU

CONTENDED = ("gil_wait", "run_queue")


@dataclass(frozen=True)
class Case:
    """`cpu` and `waits` map a mark to the activities that may hold its time.

    `functions`: the names in `cpu` are functions, judged by their inclusive time.
    `blocks`: each phase is one long block; otherwise phases alternate quickly.
    """

    name: str
    script: str
    seconds: float
    cpu: Dict[str, Tuple[str, ...]] = field(default_factory=dict)
    waits: Dict[str, Tuple[str, ...]] = field(default_factory=dict)
    extra: Tuple[str, ...] = ()
    functions: bool = False
    blocks: bool = False
    smoke: bool = False

    @property
    def path(self):
        return TARGETS / self.script

    @property
    def has_kernel_time(self):
        return any(activities[0] == "kernel" for activities in self.cpu.values())

    def __str__(self):
        return self.name


CASES = [
    Case(
        "python-native",
        "python_native.py",
        2.0,
        cpu={"python": ("python",), **dict.fromkeys(("sum", "sort", "hash", "deflate"), ("native",))},
        smoke=True,
    ),
    Case("two-lines", "two_lines.py", 1.5, cpu={"heavy": ("python",), "light": ("python",)}, smoke=True),
    Case("calls", "calls.py", 1.5, cpu={"inline": ON_CPU, "called": ON_CPU}, functions=True),
    Case("recompiled", "recompiled.py", 1.5, cpu=dict.fromkeys(("alpha", "gamma", "delta"), ON_CPU), functions=True),
    Case(
        "threads",
        "threads.py",
        2.0,
        cpu={**dict.fromkeys(("first", "second", "third", "fourth"), ("python",)), "recv": ON_CPU},
        waits={**dict.fromkeys(("first", "second", "third", "fourth"), CONTENDED), "recv": ("io_wait", *CONTENDED)},
    ),
    Case(
        "long-call-release",
        "long_call.py",
        3.0,
        cpu={"call": ("native",), **dict.fromkeys(("one", "two", "three"), ("python",))},
        extra=("release",),
        blocks=True,
    ),
    Case(
        "long-call-hold",
        "long_call.py",
        2.0,
        cpu={"call": ("native",), "free": ("native",), **dict.fromkeys(("one", "two", "three"), ("python",))},
        waits={"free": ("gil_wait",)},
        extra=("hold",),
        blocks=True,
    ),
    Case(
        "waits",
        "waits.py",
        0.35,
        waits={
            "sleep": ("sleep",),
            "receive": ("io_wait",),
            "poll": ("io_wait",),
            "lock": ("lock_wait",),
            "get": ("lock_wait",),
            "join": ("lock_wait",),
            "child": ("child_wait",),
            "gil": ("gil_wait",),
        },
        blocks=True,
        smoke=True,
    ),
    Case("system-time", "system_time.py", 1.5, cpu={"read": ("kernel",), "loop": ("python",)}),
    # How much of a fault is system time, and how much of it the entry to and from, only the kernel knows.
    Case("page-faults", "page_faults.py", 1.5, cpu={"touch": ("kernel", "native"), "loop": ("python",)}),
]
