# SPDX-License-Identifier: Apache-2.0
"""setenv, putenv, unsetenv and clearenv by libc and Python: children get what the program says."""
import ctypes
import os
import subprocess
import sys

libc = ctypes.CDLL(None)
SHOW = [sys.executable, "-S", "-c", "import os; print(sorted(os.environ.items()))"]
os.environ.clear()
os.environ["ONE"] = "1"
print(subprocess.run(SHOW, stdout=subprocess.PIPE).stdout)
os.environ["LD_PRELOAD"] = "libc.so.6"
print(subprocess.run(SHOW, stdout=subprocess.PIPE).stdout)
del os.environ["LD_PRELOAD"]
libc.setenv(b"TWO", b"2", 1)
print(subprocess.run(SHOW, stdout=subprocess.PIPE).stdout)
libc.clearenv()
print(subprocess.run(SHOW, stdout=subprocess.PIPE).stdout, os.environ)
child = os.fork()
if child == 0:
    os.execve(sys.executable, SHOW, {"LD_BIND_NOW": "1"})
print(os.waitpid(child, 0)[1])
