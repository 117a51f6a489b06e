# SPDX-License-Identifier: Apache-2.0
"""Generators, coroutines, context variables and their ends."""
import contextvars
import gc
import itertools

variable = contextvars.ContextVar("variable", default=0)


def numbers(limit):
    try:
        for number in range(limit):
            variable.set(number)
            got = yield number
            if got:
                yield "got %s" % got
    finally:
        print("closed at", variable.get())


def chain(depth):
    if depth:
        yield from chain(depth - 1)
    yield depth


one = numbers(100000)
print(next(one), one.send("x"), sum(itertools.islice(one, 5000)))
del one
gc.collect()
print(list(chain(50))[-3:], sum(1 for _ in numbers(200000)))
print(contextvars.copy_context().run(variable.get))
