# SPDX-License-Identifier: Apache-2.0
"""RLIMIT_NOFILE of the program: the same descriptors are free, down to none at all."""
# run: -W ignore {file}
import resource
import subprocess
import sys

CODE = """
import ctypes, os, threading
ctypes.CDLL("libgcc_s.so.1")  # or, up to 3.10, the end of a thread loads it
opened = []
try:
    while True:
        opened.append(os.open("/dev/null", os.O_RDONLY))
except OSError as error:
    print(error.errno, opened[:3], len(opened))
thread = threading.Thread(target=sum, args=(range(1000000),))
thread.start()
thread.join()
child = os.fork()
if child == 0:
    sum(range(1000000))
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
for limit in (6, 8, 12, 64):
    done = subprocess.run(
        [sys.executable, "-S", "-W", "ignore", "-c", CODE],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)),
    )
    print(limit, done.returncode, done.stdout, done.stderr, flush=True)
resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))
exec(CODE)
