# SPDX-License-Identifier: Apache-2.0
"""Replaces itself by exec a few times. argv: stages left, CPU seconds of each. Prints a line per stage."""
import os
import sys
import time


def burn(seconds):
    end = time.thread_time() + seconds
    x = 0
    while time.thread_time() < end:
        for i in range(2000): x = (x * 31 + i) & 0xFFFF  # mark: burn


left, seconds = int(sys.argv[1]), float(sys.argv[2])
burn(seconds)
print("stage", left, flush=True)
if left:
    os.execv(sys.executable, [sys.executable, os.path.abspath(__file__), str(left - 1), str(seconds)])
