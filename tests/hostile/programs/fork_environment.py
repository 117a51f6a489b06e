# SPDX-License-Identifier: Apache-2.0
"""The environment of the program, of a fork and of a new Python is the same, byte for byte, also in libc's view."""
import ctypes
import os
import subprocess
import sys

SHOW = """
import ctypes, os
names = sorted(os.environb)
for name in names:
    print(name, os.environb[name])
libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
print(libc.getenv(b"LD_PRELOAD"), libc.getenv(b"PYROMETER"))
block = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
count = 0
while block[count]:
    count += 1
print(count == len(names), [block[i].split(b"=")[0] for i in range(count)])
"""
exec(SHOW)
sys.stdout.flush()
child = os.fork()
if child == 0:
    exec(SHOW)
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
subprocess.run([sys.executable, "-c", SHOW], check=True)
subprocess.run(["env", "-0"], check=True)
