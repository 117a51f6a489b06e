# SPDX-License-Identifier: Apache-2.0
"""Every descriptor is closed, then the program works on, forks and opens what it likes."""
import os
import time

os.closerange(0, 1 << 16)
numbers = [os.open("log", os.O_RDWR | os.O_CREAT | os.O_APPEND) for _ in range(4)]
deadline = time.process_time() + 0.1
while time.process_time() < deadline:
    pass
os.write(numbers[0], repr((numbers, sorted(os.listdir("/proc/self/fd")))).encode())
child = os.fork()
if child == 0:
    os.closerange(0, 1 << 16)
    number = os.open("log", os.O_WRONLY | os.O_APPEND)
    os.write(number, b" child %d" % number)
    os._exit(0)
os.waitpid(child, 0)
os._exit(5)
