# SPDX-License-Identifier: Apache-2.0
"""The environment that the kernel shows of the program, of a fork, of a new Python and of another program."""
import ctypes
import os
import subprocess
import sys

PR_SET_MM, PR_SET_MM_MAP_SIZE = 35, 15
BLOCK = "/proc/self/environ"
SHOW = f"print(open({BLOCK!r}, 'rb').read(), flush=True)"

size = ctypes.c_uint()
if ctypes.CDLL(None).prctl(PR_SET_MM, PR_SET_MM_MAP_SIZE, ctypes.byref(size), 0, 0) != 0:
    print("this kernel gives a process no say in it")
    sys.exit()
exec(SHOW)
child = os.fork()
if child == 0:
    exec(SHOW)
    os._exit(0)
os.waitpid(child, 0)
subprocess.run([sys.executable, "-c", SHOW], check=True)
subprocess.run([sys.executable, "-c", SHOW], check=True, env={"ONE": "1"})
subprocess.run([sys.executable, "-c", SHOW], check=True, env={})
subprocess.run(["cat", BLOCK], check=True)
