# SPDX-License-Identifier: Apache-2.0
"""A small data pipeline: read orders, clean them, find near-duplicates, sum up.

The near-duplicate step compares every pair of names. It is the kind of code
that is fine with fifty rows and slow with a thousand: let the profile say so.

    ./pyrometer run examples/pipeline.py
"""

import csv
import io
import random

ROWS = 1_750
CITIES = ["Aachen", "Bergen", "Cadiz", "Delft", "Evora", "Fulda", "Genoa", "Hull"]


def make_orders():
    """The input: a CSV text, the same at every run."""
    chance = random.Random(7)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["customer", "city", "amount"])
    for number in range(ROWS):
        name = "".join(chance.choice("abcdefgh") for _ in range(12))
        if number % 10 == 0:
            name = name.upper() + " "  # as typed by a tired clerk
        writer.writerow([name, chance.choice(CITIES), chance.randrange(100, 99_999)])
    return text.getvalue()


def read_orders(text):
    return list(csv.DictReader(io.StringIO(text)))


def clean(orders):
    for order in orders:
        order["customer"] = order["customer"].strip().lower()
        order["amount"] = int(order["amount"]) / 100
    return orders


def similarity(left, right):
    """How many letters two names share at the same place."""
    same = 0
    for a, b in zip(left, right):
        if a == b:
            same += 1
    return same


def near_duplicates(orders):
    found = []
    for first in orders:
        for second in orders:
            if first is not second and similarity(first["customer"], second["customer"]) >= 7:
                found.append((first["customer"], second["customer"]))
    return found


def totals_by_city(orders):
    totals = {}
    for order in orders:
        totals[order["city"]] = totals.get(order["city"], 0) + order["amount"]
    return totals


def main():
    orders = clean(read_orders(make_orders()))
    pairs = near_duplicates(orders)
    totals = totals_by_city(orders)
    best = max(totals, key=totals.get)
    print(f"{len(orders)} orders, {len(pairs) // 2} suspicious pairs, best city {best}: {totals[best]:.2f}")


if __name__ == "__main__":
    main()
