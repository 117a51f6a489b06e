# SPDX-License-Identifier: Apache-2.0
"""Which case runs on which interpreter, and how."""

from dataclasses import dataclass
from typing import Tuple

import pythons
from cases import CASES

ORDINARY_USER = 65534


@dataclass(frozen=True)
class Setting:
    """How pyrometer is run: its options and the rights it has."""

    name: str
    options: Tuple[str, ...] = ()
    restrictions: Tuple[str, ...] = ()

    @property
    def launcher(self):
        return pythons.launcher(*self.restrictions) if self.restrictions else []


DEFAULT = Setting("default")
PERF = Setting("perf", ("--clock", "perf", "-r", "1000"))
NO_PERF = Setting("no-perf", (), ("--forbid-perf",))
SLOW = Setting("slow", ("-r", "50"))
FAST_WITHOUT_PERF = Setting("fast-no-perf", ("-r", "1000"), NO_PERF.restrictions)
AS_USER = Setting("user", (), ("--user", str(ORDINARY_USER)))
AS_USER_PERF = Setting("user-perf", PERF.options, AS_USER.restrictions)


def matrix(long):
    """Rows of (case, interpreter, setting); interpreter None stands for one that any user can reach."""
    main, others = pythons.split()
    for python in main:
        yield from ((case, python, setting) for setting in (DEFAULT, PERF) for case in CASES)
    # Without the right to perf events the default is what it is with it: a few cases show that.
    yield from ((case, main[0], NO_PERF) for case in CASES if long or case.smoke)
    yield from ((case, main[0], SLOW) for case in CASES if case.has_kernel_time)
    for setting in (AS_USER, AS_USER_PERF) if long else (AS_USER,):
        yield from ((case, None, setting) for case in CASES if long or case.smoke)
    for python in others:
        for setting in (DEFAULT, PERF) if long else (DEFAULT,):
            yield from ((case, python, setting) for case in CASES if long or case.smoke)
