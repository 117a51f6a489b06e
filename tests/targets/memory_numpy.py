# SPDX-License-Identifier: Apache-2.0
"""Lines whose memory numpy allocates. argv: case. Prints what memory_lines.py prints. Needs numpy."""
import json
import os
import sys

import numpy as np

MIB = 1 << 20
held = []
# The library behind @ keeps buffers from its first use on, and numpy.random comes when it is asked for.
held.append(np.ones((300, 300)) @ np.ones((300, 300)))
held.append(np.random.uniform(size=10))


def arrays():
    """Arrays by several ways to make them, and what `c = a + b` and `A @ B` make."""
    a = np.ones(8 * MIB)  # mark: ones
    b = np.zeros(8 * MIB)  # mark: zeros
    c = a + b  # mark: add
    d = np.empty((16, MIB), dtype=np.float32)  # mark: empty
    d[:] = 1
    b[:] = 1
    A = np.ones((2500, 300))  # mark: left
    B = np.ones((300, 2500))  # mark: right
    C = A @ B  # mark: product
    held.extend([a, b, c, d, A, B, C])
    sizes = {"ones": a, "zeros": b, "add": c, "empty": d, "left": A, "right": B, "product": C}
    return [
        (name, figure, array.nbytes, array.nbytes)
        for name, array in sizes.items()
        for figure in ("allocated", "live_at_peak", "live_at_exit")
    ]


def temporaries():
    """Of an expression, only the result stays."""
    a = np.ones(4 * MIB)
    a = np.sqrt(a * 2) + a.reshape(2, -1).ravel()[::2].repeat(2)  # mark: expression
    held.append(a)
    return [("expression", "live_at_exit", a.nbytes, a.nbytes)]


def redundant():
    """`uniform` makes an array; `array` copies it for nothing."""
    count = 4 * MIB
    x = np.array(np.random.uniform(0, 100, size=count))  # mark: redundant
    y = np.random.uniform(0, 100, size=count)  # mark: plain
    held.extend([x, y])
    return [
        ("redundant", "allocated", 2 * x.nbytes, x.nbytes),
        ("redundant", "live_at_exit", x.nbytes, x.nbytes),
        ("redundant", "copied", x.nbytes, x.nbytes),
        ("plain", "allocated", y.nbytes, y.nbytes),
        ("plain", "copied", 0, y.nbytes),
    ]


def untouched():
    """More than the machine has, in arrays that the kernel grants one by one: nothing of it is in use."""
    each = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4 // 8
    for _ in range(2): held.append(np.zeros(each))  # mark: untouched
    return [("untouched", figure, size, 8 * each) for figure, size in (("allocated", 16 * each), ("live_at_peak", 0), ("live_at_exit", 0))]


print(json.dumps(globals()[sys.argv[1]]()))
