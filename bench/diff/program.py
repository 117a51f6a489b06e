# SPDX-License-Identifier: Apache-2.0
"""A program of several functions with different appetites, for comparisons. ROUNDS of work."""

import json
import math
import sys

TIMES = 100


def parse(text):
    return json.loads(text)


def tally(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def score(values):
    total = 0.0
    for _ in range(TIMES):
        for value in values:
            total += value * value % 7.0
    return total


def arrange(values):
    return sorted(values, key=lambda value: (value % 97, -value))


def render(rows):
    return "\n".join(f"{a:>8}|{b:<12}|{a * b:.3f}" for a, b in rows)


def smooth(values):
    out = []
    before = values[0]
    for value in values:
        before = 0.9 * before + 0.1 * value
        out.append(before)
    return out


def main(rounds):
    text = json.dumps([{"id": i, "name": f"item {i}", "tags": ["a", "b", str(i)]} for i in range(400)])
    words = [f"w{i % 313}" for i in range(12000)]
    values = [math.sin(i) * 100 for i in range(1000)]
    numbers = [(i * 7919) % 10007 for i in range(3000)]
    rows = [(i, i * 0.37) for i in range(900)]
    for _ in range(rounds):
        for _ in range(3):
            parse(text)
        tally(words)
        score(values)
        arrange(numbers)
        render(rows)
        smooth(numbers)


if __name__ == "__main__":
    main(int(sys.argv[1]))
