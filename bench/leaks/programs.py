# SPDX-License-Identifier: Apache-2.0
"""Programs that leak, and programs that do not. argv: name, seconds. Prints the bytes that were leaked."""

import collections
import random
import sys
import time

STEP = 0.01  # seconds
kept, table = [], {}
rng = random.Random(7)


def leak(size, count):
    for _ in range(count): kept.append(bytes(size))  # mark: leak
    return count * (size + 33)


def churn(size, count):
    for _ in range(count): bytes(size)


def steps(seconds):
    """One each hundredth of a second; those that are late follow at once."""
    begin = time.monotonic()
    for number in range(int(seconds / STEP)):
        yield number
        time.sleep(max(0.0, begin + (number + 1) * STEP - time.monotonic()))


def leaking(size, per_second, churn_size=0, churn_per_second=0, every=1):
    """Leaks so many bytes a second in blocks of a size, each `every` steps, beside churn on another line."""

    def program(seconds):
        leaked, owed = 0, 0.0
        for number in steps(seconds):
            owed += per_second * STEP
            if number % every == 0:
                leaked += leak(size, int(owed // (size + 33)))
                owed %= size + 33
            if churn_size:
                churn(churn_size, int(churn_per_second * STEP / (churn_size + 33)))
        return leaked

    return program


MB = 1_000_000
LEAKING = {
    "small_beside_churn": leaking(167, 2.66 * MB, 467, 57 * MB),
    "small_beside_little": leaking(167, 2.66 * MB, 467, 5 * MB),
    "small_alone": leaking(167, 2.66 * MB),
    "tiny": leaking(8, 3 * MB, 100, 20 * MB),
    "tiny_fast": leaking(8, 20 * MB),
    "medium": leaking(2000, 3 * MB, 2000, 60 * MB),
    "kilobytes": leaking(10_000, 4 * MB, 300, 30 * MB),
    "large": leaking(100_000, 10 * MB, 300, 30 * MB),
    "huge": leaking(1_000_000, 50 * MB),
    "huge_beside_huge": leaking(1_000_000, 30 * MB, 1_000_000, 300 * MB),
    "slow_steps": leaking(500, 4 * MB, 500, 20 * MB, every=5),
    "fast": leaking(300, 15 * MB, 300, 60 * MB),
    "beside_large_churn": leaking(200, 3 * MB, 200_000, 200 * MB),
    "beside_same_size": leaking(500, 3 * MB, 500, 50 * MB),
    "page": leaking(4063, 4 * MB, 4063, 60 * MB),
    "half_the_churn": leaking(300, 10 * MB, 300, 20 * MB),
    "three_times_the_churn": leaking(300, 9 * MB, 300, 3 * MB),
    "bytes_of_512": leaking(479, 3 * MB, 479, 30 * MB),
    "bytes_of_513": leaking(480, 3 * MB, 480, 30 * MB),
    "megabyte_a_second": leaking(200, 1 * MB, 400, 10 * MB),
}


def only_churn(size, per_second):
    def program(seconds):
        for _ in steps(seconds):
            churn(size, int(per_second * STEP / (size + 33)))

    return program


def cache_cleared(size, count, every):
    """Fills up and is cleared."""

    def program(seconds):
        for number in steps(seconds):
            for i in range(count): table[number, i] = bytes(size)
            if number % every == every - 1:
                table.clear()

    return program


def bounded(size, length, per_step):
    """The newest so many stay."""

    def program(seconds):
        newest = collections.deque(maxlen=length)
        for _ in steps(seconds):
            for _ in range(per_step): newest.append(bytes(size))

    return program


def filled_first(size, count):
    """Holds what it made in the beginning, and works on."""

    def program(seconds):
        held = [bytes(size) for _ in range(count)]
        only_churn(300, 10 * MB)(seconds)
        return held and None

    return program


def random_lives(size, per_step, mean_steps):
    """Blocks that live for random times."""

    def program(seconds):
        due = collections.defaultdict(list)
        for number in steps(seconds):
            for _ in range(per_step): due[number + 1 + int(rng.expovariate(1 / mean_steps))].append(bytes(size))
            due.pop(number, None)

    return program


def replaced(size, count):
    """Each step replaces a part of what there is."""

    def program(seconds):
        held = [bytes(size) for _ in range(count)]
        for _ in steps(seconds):
            for _ in range(count // 20): held[rng.randrange(count)] = bytes(size)

    return program


INNOCENT = {
    "churn_small": only_churn(100, 50 * MB),
    "churn_large": only_churn(500_000, 200 * MB),
    "cache_cleared": cache_cleared(300, 300, 30),
    "cache_cleared_often": cache_cleared(300, 300, 7),
    "cache_cleared_seldom": cache_cleared(1000, 100, 70),
    "cache_of_large": cache_cleared(200_000, 2, 20),
    "bounded_short": bounded(500, 2_000, 100),
    "bounded_long": bounded(500, 20_000, 400),
    "bounded_large": bounded(300_000, 50, 2),
    "filled_first": filled_first(500, 50_000),
    "filled_with_large": filled_first(1_000_000, 60),
    "random_lives": random_lives(400, 100, 10),
    "random_lives_long": random_lives(400, 100, 40),
    "random_lives_large": random_lives(150_000, 2, 15),
    "replaced": replaced(400, 40_000),
    "replaced_large": replaced(200_000, 100),
    "replaced_tiny": replaced(8, 100_000),
    "bounded_tiny": bounded(8, 50_000, 2_000),
    "churn_medium": only_churn(5_000, 100 * MB),
    "random_lives_tiny": random_lives(8, 1_000, 20),
}


if __name__ == "__main__":
    print({**LEAKING, **INNOCENT}[sys.argv[1]](float(sys.argv[2])) or 0)
