# SPDX-License-Identifier: Apache-2.0
"""Forks again and again while other threads are busy. argv: number of forks. Prints how many children ended well."""
import os
import sys
import threading
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # that fork and threads do not mix is the point
stop = False


def busy():
    x = 0
    while not stop:
        for i in range(1000): x = (x * 31 + i) & 0xFFFF
        threading.Thread(target=str).start()


threads = [threading.Thread(target=busy) for _ in range(3)]
for thread in threads:
    thread.start()
good = 0
for number in range(int(sys.argv[1])):
    child = os.fork()
    if child == 0:
        sum(range(2000))
        os._exit(number % 7)
    good += os.waitpid(child, 0)[1] >> 8 == number % 7
stop = True
for thread in threads:
    thread.join()
print(good)
