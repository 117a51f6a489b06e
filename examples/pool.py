# SPDX-License-Identifier: Apache-2.0
"""Counts primes with a pool of processes.

The ranges are of equal length but not of equal work, and the parent waits: the
profile has one part per process, and one for all of them together.

    ./pyrometer run examples/pool.py
"""

import concurrent.futures

LIMIT = 700_000
WORKERS = 2


def is_prime(number):
    if number < 2:
        return False
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return False
        divisor += 1
    return True


def count_primes(first, last):
    return sum(1 for number in range(first, last) if is_prime(number))


def main():
    step = LIMIT // WORKERS
    starts = range(0, LIMIT, step)
    with concurrent.futures.ProcessPoolExecutor(WORKERS) as pool:
        counts = list(pool.map(count_primes, starts, [start + step for start in starts]))
    print(f"{sum(counts)} primes below {LIMIT}: {counts}")


if __name__ == "__main__":
    main()
