# SPDX-License-Identifier: Apache-2.0
"""Ends in the way that argv[1] names, after some work. argv[2]: CPU seconds of that work."""
import ctypes
import faulthandler
import os
import signal
import sys
import tempfile
import time

from burning import rounds


def burn(seconds):
    x = 0
    for count in rounds(seconds, "burn"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: burn


def segfault():
    ctypes.string_at(1)


def dump():
    faulthandler.enable()
    faulthandler.dump_traceback(all_threads=False)
    faulthandler.register(signal.SIGUSR1, all_threads=False)
    os.kill(os.getpid(), signal.SIGUSR1)


def dump_later():
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback_later(0.3, file=file)
        # The whole dump is made of this line: its last row is there before the next line begins.
        while b"<module>\n" not in os.pread(file.fileno(), 4096, 0): time.sleep(0.01)
        faulthandler.cancel_dump_traceback_later()
        file.seek(0)
        sys.stderr.write(file.read())


def fault():
    faulthandler.enable(all_threads=False)
    segfault()


ENDS = {
    "return": lambda: None,
    "exit": lambda: sys.exit(7),
    "exit-text": lambda: sys.exit("no more"),
    "raise": lambda: {}["missing"],
    "os-exit": lambda: os._exit(9),
    "abort": os.abort,
    "segfault": segfault,
    "faulthandler": fault,
    "dump": dump,
    "dump-later": dump_later,
    "term": lambda: os.kill(os.getpid(), signal.SIGTERM),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "interrupt": lambda: os.kill(os.getpid(), signal.SIGINT),
}

burn(float(sys.argv[2]))
print("worked", flush=True)
ENDS[sys.argv[1]]()
