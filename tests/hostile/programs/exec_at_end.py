# SPDX-License-Identifier: Apache-2.0
"""The program becomes another Python by exec, with threads still alive, then a shell with an exit code."""
import os
import sys
import threading
import time

stage = int(sys.argv[1]) if len(sys.argv) > 1 else 0
print("stage", stage, sys.argv[1:], len(os.listdir("/proc/self/fd")), flush=True)
if stage == 3:
    os.execlp("sh", "sh", "-c", "echo shell; exit 11")
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
if stage == 2:
    os.execve(sys.executable, [sys.executable, "-I", os.path.abspath(__file__), "3"], {"PATH": os.environ["PATH"]})
os.execv(sys.executable, [sys.executable, os.path.abspath(__file__), str(stage + 1)])
