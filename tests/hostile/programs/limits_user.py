# SPDX-License-Identifier: Apache-2.0
"""The program gives up its rights and its dumpability; its children do not get them back."""
import ctypes
import os
import subprocess
import time

libc = ctypes.CDLL(None)
print(libc.prctl(3, 0, 0, 0, 0), libc.prctl(39, 0, 0, 0, 0))
libc.prctl(4, 0, 0, 0, 0)
print(libc.prctl(3, 0, 0, 0, 0))
if os.geteuid() == 0:
    os.chmod(".", 0o777)
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
deadline = time.process_time() + 0.1
while time.process_time() < deadline:
    pass
child = os.fork()
if child == 0:
    sum(range(1000000))
    os._exit(4)
print(os.getresuid(), os.getgroups(), os.waitpid(child, 0)[1] >> 8, flush=True)
print(subprocess.run(["/bin/sh", "-c", "id -u; umask"], stdout=subprocess.PIPE).stdout)
