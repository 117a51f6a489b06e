# SPDX-License-Identifier: Apache-2.0
"""Prints everything that a program can know about its surroundings, as JSON. Reads stdin when it is not a terminal."""
import faulthandler
import gc
import json
import os
import resource
import signal
import sys
import threading
import traceback
import warnings


def failure():
    def inner():
        raise ValueError("\u00e4")

    try:
        inner()
    except ValueError:
        return traceback.format_exc()


def caught_signals():
    return [int(number) for number in signal.valid_signals() if signal.getsignal(number) is None]


def facts():
    main = sys.modules["__main__"]
    return {
        "argv": sys.argv,
        "orig_argv": getattr(sys, "orig_argv", None),
        "executable": sys.executable,
        "prefix": sys.prefix,
        "path": sys.path,
        "flags": str(sys.flags),
        "xoptions": sys._xoptions,
        "file": globals().get("__file__"),
        "name": __name__,
        "package": __package__,
        "loader": type(__loader__).__name__ if __loader__ else None,
        "main_file": getattr(main, "__file__", None),
        "cwd": os.getcwd(),
        "environ": sorted((key.hex(), value.hex()) for key, value in os.environb.items()),
        "descriptors": sorted(map(int, os.listdir("/proc/self/fd")))[:-1],
        "threads": len(os.listdir("/proc/self/task")),
        "ttys": [os.isatty(number) for number in range(3)],
        "encodings": [sys.stdout.encoding, sys.stdout.errors, sys.getfilesystemencoding()],
        "group": [os.getpgrp(), os.getsid(0)] if "PYROMETER_TEST_GROUP" in os.environ else None,
        "umask": os.umask(0o22),
        "nice": os.nice(0),
        "affinity": sorted(os.sched_getaffinity(0)),
        "limits": [resource.getrlimit(kind) for kind in range(16)],
        "mask": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))),
        "pending": sorted(map(int, signal.sigpending())),
        "caught": caught_signals(),
        "timers": [signal.getitimer(kind) for kind in range(3)],
        "tracing": [sys.gettrace(), sys.getprofile(), faulthandler.is_enabled()],
        "switch": [sys.getswitchinterval(), sys.getrecursionlimit(), threading.stack_size()],
        "gc": [gc.isenabled(), gc.get_threshold()],
        "warnings": str(warnings.filters),
        "modules": sorted(sys.modules),
        "traceback": failure(),
        "stdin": sys.stdin.buffer.read().hex() if not sys.stdin.isatty() else None,
    }


if __name__ == "__main__":
    print(json.dumps(facts(), indent=1))
    sys.stdout.flush()
    os.write(1, bytes(range(256)))
    os.write(2, b"to stderr\n")
    sys.exit(23)
