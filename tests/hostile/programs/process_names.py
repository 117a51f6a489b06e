# SPDX-License-Identifier: Apache-2.0
"""prctl names of the process and its threads, and what ps-like tools see of the children."""
import ctypes
import glob
import os
import subprocess
import sys
import threading

libc = ctypes.CDLL(None)
print(open("/proc/self/cmdline", "rb").read().split(b"\0")[1:])


def thread():
    libc.prctl(15, b"my-thread", 0, 0, 0)
    print(sorted(open(path).read() for path in glob.glob("/proc/self/task/*/comm")))


libc.prctl(15, b"my-program", 0, 0, 0)
one = threading.Thread(target=thread)
one.start()
one.join()
code = "print('up', flush=True); input()"
child = subprocess.Popen([sys.executable, "-c", code, "word"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(child.stdout.readline())
me = "/proc/%d/task/%d/children" % (os.getpid(), os.getpid())
print(open(me).read().split() == [str(child.pid)], open("/proc/%d/cmdline" % child.pid, "rb").read().split(b"\0")[1:])
child.communicate(b"\n")
print(child.returncode, open(me).read().split())
