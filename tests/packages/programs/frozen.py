# SPDX-License-Identifier: Apache-2.0
"""What PyInstaller makes a program of: burns CPU time and prints how much."""

import json
import time


def burn(seconds):
    begin = time.thread_time()
    while time.thread_time() < begin + seconds:  # asked seldom: that would keep ticks away
        sum(range(100_000))
    return time.thread_time() - begin


print(json.dumps(burn(0.6)))
