# SPDX-License-Identifier: Apache-2.0
"""Smooths random surfaces with numpy.

np.random.uniform already returns an array; wrapping it in np.array copies it
once more. The time is native, and the profile shows which line it belongs to.

    ./pyrometer run examples/matrix.py
"""

import sys

try:
    import numpy as np
except ImportError:
    sys.exit("this example needs numpy: python3 -m pip install numpy")

SIZE = 1_500
ROUNDS = 25


def make_surface():
    return np.array(np.random.uniform(0.0, 1.0, (SIZE, SIZE)))  # a redundant copy


def smooth(surface):
    """The mean of each cell and its four neighbours."""
    padded = np.pad(surface, 1, mode="edge")
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return (surface + around) / 5.0


def main():
    np.random.seed(3)
    roughness = 0.0
    for _ in range(ROUNDS):
        roughness += float(np.std(smooth(make_surface())))
    print(f"mean roughness {roughness / ROUNDS:.6f}")


if __name__ == "__main__":
    main()
