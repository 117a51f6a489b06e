# SPDX-License-Identifier: Apache-2.0
"""cProfile and trace count the program's calls exactly."""
import cProfile
import io
import pstats


def leaf(number):
    return number + 1


def work():
    return sum(leaf(number) for number in range(5000))


profile = cProfile.Profile()
profile.runcall(work)
stats = pstats.Stats(profile, stream=io.StringIO())
print(sorted((name, counts[0]) for (_, _, name), counts in stats.stats.items()))
