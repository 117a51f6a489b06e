# SPDX-License-Identifier: Apache-2.0
"""One recording for all formats, and what it adds up to."""

import sys

import pytest
from exported import Exports, totals_of

PROGRAM = '''
import asyncio, threading, time

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(i * i for i in range(1000))

keep = []
def hold():
    keep.append(bytearray(8 << 20))
    keep.extend([str(i) for i in range(200_000)])
    keep.append(bytes(keep[0]))

def deep(depth):
    if depth:
        deep(depth - 1)
    else:
        burn(0.1)

async def client(name):
    await asyncio.sleep(0.05)
    burn(0.05)

async def clients():
    await asyncio.gather(*(client(i) for i in range(3)))

thread = threading.Thread(target=burn, args=(0.2,), name="worker")
thread.start()
hold()
deep(5)
time.sleep(0.1)
thread.join()
asyncio.run(clients())
'''


@pytest.fixture(scope="session")
def exports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exchange")
    (folder / "program.py").write_text(PROGRAM)
    return Exports.record(folder, sys.executable)


@pytest.fixture(scope="session")
def totals(exports):
    return totals_of(exports)
