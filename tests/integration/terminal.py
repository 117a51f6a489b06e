# SPDX-License-Identifier: Apache-2.0
"""A terminal with a shell and one job in it, driven by a test."""

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

SHELL = Path(__file__).with_name("job_shell.py")
TIMEOUT_SECONDS = 300


class Terminal:
    def __init__(self, command):
        self._screen, inside = os.openpty()
        self._events, events = os.pipe()
        orders, self._orders = os.pipe()
        _keep_plain(inside)

        def enter():
            # In two steps: one of the targets may be the number of another source.
            wanted = [(0, inside), (1, inside), (2, inside), (3, events), (4, orders)]
            moved = [(to, fcntl.fcntl(fd, fcntl.F_DUPFD, 10)) for to, fd in wanted]
            for to, fd in moved:
                os.dup2(fd, to)
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self._shell = subprocess.Popen(
            [sys.executable, SHELL, *map(str, command)], close_fds=False, start_new_session=True, preexec_fn=enter
        )
        for fd in (inside, events, orders):
            os.close(fd)
        self._shown = b""

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        os.close(self._orders)
        self._shell.kill()
        self._shell.wait()
        os.close(self._screen)
        os.close(self._events)

    def type(self, keys):
        os.write(self._screen, keys)

    def resize(self, columns, rows):
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def bring_to_front(self):
        os.write(self._orders, b"f")

    def wait_for(self, text):
        """Until the job has written `text`, after what was waited for before."""
        self._shown = _until(self._screen, text.encode(), self._shown)

    def event(self):
        """What the shell sees of its job next."""
        line = b""
        while not line.endswith(b"\n"):
            line += _read(self._events, f"the shell saw nothing after {line}")
        return line.decode().strip()

    def quiet(self, seconds):
        """Whether the shell sees nothing of its job for this long."""
        return not select.select([self._events], [], [], seconds)[0]


def _keep_plain(terminal):
    settings = termios.tcgetattr(terminal)
    settings[1] &= ~termios.OPOST
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, settings)


def _until(fd, text, seen):
    """What comes after `text`."""
    while text not in seen:
        seen += _read(fd, f"{text} did not come; there was {seen}")
    return seen.split(text, 1)[1]


def _read(fd, complaint):
    assert select.select([fd], [], [], TIMEOUT_SECONDS)[0], complaint
    return os.read(fd, 4096)
