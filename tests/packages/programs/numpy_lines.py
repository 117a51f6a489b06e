# SPDX-License-Identifier: Apache-2.0
"""Lines whose work is in numpy, and one that is not. argv: rounds."""
import sys

import numpy
from burning import Burning


def main(rounds):
    values = numpy.arange(200000, dtype=numpy.float64)[::-1].copy()
    x = total = 0
    for _ in range(rounds):
        with Burning("sort"):
            values = numpy.sort(numpy.sin(values))  # mark: sort
        with Burning("add"):
            for _ in range(20): values = values + values * 0.5  # mark: add
        with Burning("loop"):
            for i in range(50000): x = (x * 31 + i) & 0xFFFF  # mark: loop
        total += int(values.size)
    print(x, total)


main(int(sys.argv[1]))
