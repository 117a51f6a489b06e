# SPDX-License-Identifier: Apache-2.0
"""Child subreaper, PR_SET_PDEATHSIG and orphans: pyrometer reaps nothing of the program's and adopts nobody."""
import ctypes
import os
import signal
import time

libc = ctypes.CDLL(None)
print(libc.prctl(36, 1, 0, 0, 0))
reader, writer = os.pipe()
child = os.fork()
if child == 0:
    if os.fork() == 0:
        time.sleep(0.1)
        os._exit(21)
    os._exit(20)
codes = sorted(os.waitpid(-1, 0)[1] >> 8 for _ in range(2))
print(codes)
child = os.fork()
if child == 0:
    grandchild = os.fork()
    if grandchild == 0:
        libc.prctl(1, signal.SIGKILL, 0, 0, 0)
        os.write(writer, b"x")
        time.sleep(60)
        os._exit(0)
    os.read(reader, 1)
    os._exit(0)
print([os.waitpid(-1, 0)[1] for _ in range(2)])
