# SPDX-License-Identifier: Apache-2.0
"""The second file of two_files.py."""
from burning import rounds


def other(seconds):
    x = 0
    for count in rounds(seconds, "other"):
        for i in range(count): x = (x * 31 + i) & 0xFFFF  # mark: other
