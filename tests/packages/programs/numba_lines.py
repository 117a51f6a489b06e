# SPDX-License-Identifier: Apache-2.0
"""Lines whose work is in functions that numba has compiled, one of them with debug information. argv: folder of numba, rounds."""
import sys

sys.path.insert(0, sys.argv[1])

import numba  # noqa: E402
from burning import Burning  # noqa: E402


@numba.njit
def plain(n):
    total = 0.0
    for i in range(n):
        total += (i * i) % 7 / (i + 1)
    return total


@numba.njit(debug=True)
def with_lines(n):
    total = 0.0
    for i in range(n): total += (i * i) % 5 / (i + 1)  # mark: inside
    return total


def main(rounds):
    plain(1)
    with_lines(1)
    total = 0.0
    for _ in range(rounds):
        with Burning("call"):
            total += plain(4000000)  # mark: call
        with Burning("inside"):
            total += with_lines(4000000)  # mark: inside
    print(total > 0)


main(int(sys.argv[2]))
