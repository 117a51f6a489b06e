# SPDX-License-Identifier: Apache-2.0
"""A control group below our own with a limit on memory, where the kernel lets us make one."""

import contextlib
import errno
import os
import time
import uuid
from pathlib import Path

import pytest

# (where groups of memory are, its field in /proc/self/cgroup, the limit's file)
HIERARCHIES = [
    (Path("/sys/fs/cgroup/memory"), "memory", "memory.limit_in_bytes"),  # version 1
    (Path("/sys/fs/cgroup"), "", "memory.max"),  # version 2
]
REMOVAL_SECONDS = 10


@contextlib.contextmanager
def memory_group(limit_bytes):
    """Path of the file to which a process writes "0" to be limited. Skips the test where there can be none."""
    group, limit_file = _place()
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group of memory: {error}")
    try:
        try:
            (group / limit_file).write_text(str(limit_bytes))
        except OSError as error:
            pytest.skip(f"no limit on memory: {error}")
        yield group / "cgroup.procs"
    finally:
        _remove(group)


def _place():
    own = dict(line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines())
    for root, name, limit_file in HIERARCHIES:
        below = root / own.get(name, "/").lstrip("/")
        # The limit of a group at the top does not exist; its children have one if the controller is on for them.
        if name in own and (below / "cgroup.procs").exists() and (not name or (below / limit_file).exists()):
            return below / f"pyrometer-{uuid.uuid4().hex}", limit_file
    pytest.skip("no control groups of memory are mounted")


def _remove(group):
    """The kernel needs a moment to see that the last process is gone."""
    end = time.monotonic() + REMOVAL_SECONDS
    while True:
        try:
            os.rmdir(group)
            return
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > end:
                raise
            time.sleep(0.05)
