# SPDX-License-Identifier: Apache-2.0
"""The second file of two_files.py."""
import time


def other(seconds):
    end = time.thread_time() + seconds
    x = 0
    while time.thread_time() < end:
        for i in range(2000): x = (x * 31 + i) & 0xFFFF  # mark: other
