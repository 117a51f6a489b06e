# SPDX-License-Identifier: Apache-2.0
"""An unhandled exception with a cause, in main."""


def inner(value):
    return {}[value]


def outer():
    try:
        inner("key")
    except KeyError as error:
        raise RuntimeError("outer failed") from error


print("before")
outer()
