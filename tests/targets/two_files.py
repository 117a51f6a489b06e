# SPDX-License-Identifier: Apache-2.0
"""Hot code in two files and in the standard library. argv: CPU seconds of each part."""
import json
import sys
import time

import two_files_helper


def own(seconds):
    end = time.thread_time() + seconds
    x = 0
    while time.thread_time() < end:
        for i in range(2000): x = (x * 31 + i) & 0xFFFF  # mark: own


def library(seconds):
    encoder = json.JSONEncoder(indent=1)  # an indent makes json use its Python code
    data = {str(i): list(range(20)) for i in range(50)}
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        encoder.encode(data)  # mark: library


def rare(seconds):
    end = time.thread_time() + seconds
    x = 0
    while time.thread_time() < end:
        for i in range(200): x = (x * 31 + i) & 0xFFFF  # mark: rare


part = float(sys.argv[1])
own(part)
two_files_helper.other(part)
library(part)
rare(part * 0.015)
print("done")
