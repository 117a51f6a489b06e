# SPDX-License-Identifier: Apache-2.0
"""faulthandler: dumps on request, on a signal, after a time and on a crash. The addresses of threads do not count."""
import faulthandler
import os
import re
import signal
import subprocess
import sys
import time

CRASH = """
import faulthandler, os, signal
faulthandler.enable()
def inside():
    os.kill(os.getpid(), signal.%s)
inside()
"""
for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT"):
    done = subprocess.run([sys.executable, "-c", CRASH % name], stderr=subprocess.PIPE)
    print(done.returncode, re.sub("0x[0-9a-f]+", "ADDRESS", done.stderr.decode()))
sys.stdout.flush()
print(faulthandler.is_enabled())
faulthandler.enable()
faulthandler.register(signal.SIGUSR2, all_threads=False)


def inside():
    os.kill(os.getpid(), signal.SIGUSR2)
    faulthandler.dump_traceback(all_threads=False)


inside()
with open("later.txt", "w+") as later:
    faulthandler.dump_traceback_later(0.3, file=later, exit=False)
    while not os.stat("later.txt").st_size: time.sleep(0.01)
    faulthandler.cancel_dump_traceback_later()
    lines = open("later.txt").read().splitlines()
print(len(lines), lines[-1])
os.remove("later.txt")
