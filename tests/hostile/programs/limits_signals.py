# SPDX-License-Identifier: Apache-2.0
"""RLIMIT_SIGPENDING of 0 and RLIMIT_NPROC: the program's own timers, threads and forks work or fail as ever."""
import os
import resource
import subprocess
import sys

CODE = """
import os, signal, threading, time
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.02)
time.sleep(0.05)
os.kill(os.getpid(), signal.SIGALRM)
thread = threading.Thread(target=sum, args=(range(1000000),))
thread.start()
thread.join()
child = os.fork()
if child == 0:
    sum(range(1000000))
    os._exit(0)
print(seen, os.waitpid(child, 0)[1])
"""
for kind, limit in ((resource.RLIMIT_SIGPENDING, 0), (resource.RLIMIT_SIGPENDING, 1), (resource.RLIMIT_CPU, 30)):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=lambda: resource.setrlimit(kind, (limit, limit)),
    )
    print(done.returncode, done.stdout, done.stderr, flush=True)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    child = os.fork()
    if child == 0:
        os._exit(0)
    print(os.waitpid(child, 0)[1])
except OSError as error:
    print(error)
