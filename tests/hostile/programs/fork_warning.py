# SPDX-License-Identifier: Apache-2.0
"""From 3.12 on a fork with threads warns, without threads it must not, also with -W error."""
# run: -W error {file}
import os
import sys
import threading

for kind in ("alone", "threads"):
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    if kind == "threads":
        thread.start()
    try:
        child = os.fork()
    except DeprecationWarning as warning:
        print(kind, "warned", str(warning).split("(pid=")[0])
    else:
        if child == 0:
            os._exit(3)
        print(kind, os.waitpid(child, 0)[1])
    stop.set()
    if kind == "threads":
        thread.join()
    sys.stdout.flush()
