# SPDX-License-Identifier: Apache-2.0
"""atexit functions that run for long and threads that end after main."""
import atexit
import threading
import time


def long_end():
    deadline = time.process_time() + 0.2
    while time.process_time() < deadline:
        pass
    print("after a long end")


atexit.register(long_end)
atexit.register(lambda: print(sorted(thread.name for thread in threading.enumerate())))
ending = threading.Event()
threading.Thread(target=lambda: (ending.wait(), time.sleep(0.05), print("late thread"))).start()
print("main ends")
ending.set()
