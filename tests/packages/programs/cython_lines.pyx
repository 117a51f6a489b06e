# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
"""Lines of Cython: arithmetic in C, Python objects, and a method whose work is inlined."""
from burning import Burning


cdef inline double square(double x):
    return x * x * 1.0000001


cdef class Sum:
    cdef double value

    cdef void add(self, long n):
        cdef long i
        for i in range(n): self.value += (i % 17) * 0.5 / (i + 1)  # mark: method


def objects(n):
    total = 0
    for i in range(n): total = (total * 31 + i) % 65521  # mark: objects
    return total


def main(rounds):
    cdef Sum total = Sum()
    cdef long i
    cdef double value = 0
    seen = 0
    for _ in range(rounds):
        with Burning("method"):
            total.add(4000000)
        with Burning("objects"):
            seen += objects(150000)
        with Burning("plain"):
            for i in range(3000000): value += square(i % 13) / (i + 1)  # mark: plain
    print(seen, total.value > 0, value > 0)
