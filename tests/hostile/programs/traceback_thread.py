# SPDX-License-Identifier: Apache-2.0
"""Unhandled exceptions in threads, with and without a hook."""
import threading


def fail():
    raise OSError("in thread")


for hook in (threading.excepthook, lambda args: print("hook", args.exc_type.__name__)):
    threading.excepthook = hook
    thread = threading.Thread(target=fail, name="failing")
    thread.start()
    thread.join()
