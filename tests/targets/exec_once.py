# SPDX-License-Identifier: Apache-2.0
"""Uses CPU time, becomes itself by exec, and uses half as much again. argv: seconds of CPU time.

Prints as JSON what the thread's clock shows in the end, which goes on through the exec, and what it
showed before it.
"""
import json
import os
import sys
import time


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        for _ in range(20000):
            pass


seconds = float(sys.argv[1])
if len(sys.argv) == 2:
    burn(seconds)
    os.execv(sys.executable, [sys.executable, os.path.abspath(__file__), sys.argv[1], str(time.thread_time())])
burn(seconds / 2)
print(json.dumps({"before": float(sys.argv[2]), "after": time.thread_time() - float(sys.argv[2])}))
