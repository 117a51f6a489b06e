# SPDX-License-Identifier: Apache-2.0
"""The least of an interactive shell: job_shell.py COMMAND...

Runs on a terminal, as leader of its session. Starts the command as the foreground job, writes to descriptor 3 how it
changes ("stopped 20", "exited 0", "killed 2"), and continues a stopped one for each byte from descriptor 4.
"""

import os
import signal
import sys

EVENTS, ORDERS = 3, 4


def start(command):
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        in_front(os.getpid())
        os.closerange(EVENTS, ORDERS + 1)
        os.execvp(command[0], command)
    return pid


def in_front(group):
    # Whoever is not in front is stopped for asking.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, group)
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)


def follow(pid):
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if os.WIFEXITED(status):
            return f"exited {os.WEXITSTATUS(status)}"
        if os.WIFSIGNALED(status):
            return f"killed {os.WTERMSIG(status)}"
        in_front(os.getpgid(0))
        os.write(EVENTS, f"stopped {os.WSTOPSIG(status)}\n".encode())
        if not os.read(ORDERS, 1):
            os.killpg(pid, signal.SIGKILL)
        in_front(pid)
        os.killpg(pid, signal.SIGCONT)


if __name__ == "__main__":
    os.write(EVENTS, (follow(start(sys.argv[1:])) + "\n").encode())
