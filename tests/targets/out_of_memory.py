# SPDX-License-Identifier: Apache-2.0
"""A child that works, then takes memory until the kernel kills it. argv: cgroup.procs of a limited group, seconds.

Prints the signal that ended the child.
"""
import os
import sys
import time

MIB = 1 << 20


def burn(seconds):
    end = time.process_time() + seconds
    x = 0
    while time.process_time() < end:
        for i in range(10000): x = (x * 31 + i) & 0xFFFF  # mark: burn


def child(group, seconds):
    with open(group, "w") as procs:
        procs.write("0")
    burn(seconds)
    held = []
    while True:
        held.append(bytearray(2 * MIB))  # mark: hold
        time.sleep(0.005)


pid = os.fork()
if pid == 0:
    child(sys.argv[1], float(sys.argv[2]))
_, status = os.waitpid(pid, 0)
print(os.WTERMSIG(status))
