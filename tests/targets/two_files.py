# SPDX-License-Identifier: Apache-2.0
"""Hot code in two files and in the standard library. argv: CPU seconds of each part."""
import json
import sys

import two_files_helper
from burning import rounds


def own(seconds):
    x = 0
    for count in rounds(seconds, "own"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: own


def library(seconds):
    encoder = json.JSONEncoder(indent=1)  # an indent makes json use its Python code
    data = {str(i): list(range(20)) for i in range(50)}
    for count in rounds(seconds, "library", 2):
        for _ in range(count): encoder.encode(data)  # mark: library


def rare(seconds):
    x = 0
    for count in rounds(seconds, "rare"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: rare


part = float(sys.argv[1])
own(part)
two_files_helper.other(part)
library(part)
rare(part * 0.015)
print("done")
