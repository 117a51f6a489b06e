# SPDX-License-Identifier: Apache-2.0
"""joblib with loky's processes. argv: jobs, loops of each."""
import sys

from joblib import Parallel, delayed


def square(index, loops):
    # Sent to the workers by value: what it needs is imported there.
    from burning import Burning

    x = index
    with Burning("square"):
        for i in range(loops): x = (x * 31 + i) & 0xFFFF  # mark: square
    return index * index, x


def main(jobs, loops):
    print(Parallel(n_jobs=2)(delayed(square)(index, loops) for index in range(jobs)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
