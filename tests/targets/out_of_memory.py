# SPDX-License-Identifier: Apache-2.0
"""A child that works, then takes memory until the kernel kills it.

argv: cgroup.procs of a limited group, CPU seconds, file for the number of blocks that the child had. Prints the signal
that ended it.
"""
import mmap
import os
import struct
import sys
import time

from burning import rounds

BLOCK = 2 << 20
count = mmap.mmap(-1, mmap.PAGESIZE)  # shared: it outlives the child


def burn(seconds):
    x = 0
    for count in rounds(seconds, "burn"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: burn


def child(group, seconds):
    with open(group, "w") as procs:
        procs.write("0")
    burn(seconds)
    held = []
    while True:
        held.append(bytearray(BLOCK))  # mark: hold
        struct.pack_into("Q", count, 0, len(held))
        time.sleep(0.005)


pid = os.fork()
if pid == 0:
    child(sys.argv[1], float(sys.argv[2]))
_, status = os.waitpid(pid, 0)
with open(sys.argv[3], "w") as truth:
    truth.write(str(struct.unpack_from("Q", count, 0)[0] * BLOCK))
print(os.WTERMSIG(status))
