# SPDX-License-Identifier: Apache-2.0
"""The application that gunicorn serves: /red and /blue, each with work on its own line."""
import os

from burning import Burning

LOOPS = int(os.environ["LOOPS"])


def red():
    x = 0
    with Burning("red"):
        for i in range(LOOPS): x = (x * 31 + i) & 0xFFFF  # mark: red
    return x


def blue():
    x = 1
    with Burning("blue"):
        for i in range(3 * LOOPS): x = (x * 31 + i) & 0xFFFF  # mark: blue
    return x


def application(environ, start_response):
    name = environ["PATH_INFO"].strip("/")
    body = b"%s %d\n" % (name.encode(), {"red": red, "blue": blue}[name]())
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
