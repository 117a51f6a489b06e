# SPDX-License-Identifier: Apache-2.0
"""A fork while other threads run: only one thread lives in the child."""
import os
import threading
import warnings

warnings.simplefilter("ignore")
stop = threading.Event()


def work():
    while not stop.is_set():
        sum(range(1000))


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for _ in range(10):
    child = os.fork()
    if child == 0:
        os.write(1, b"%d %d\n" % (threading.active_count(), len(os.listdir("/proc/self/task"))))
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
stop.set()
for thread in threads:
    thread.join()
print(threading.enumerate() == [threading.main_thread()])
