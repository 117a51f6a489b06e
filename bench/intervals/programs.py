# SPDX-License-Identifier: Apache-2.0
"""Ten programs of different shape that know the CPU time of each marked line. argv: program, truth file, seed."""

import asyncio
import json
import multiprocessing
import random
import sys
import threading
import zlib
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "targets"))

from pieces import Pieces
from truth import Truth

PIECES = 200  # between two questions about the CPU time: some 50 ms
DESCENTS, BOTTOM_PIECES = 8, 10
WORKERS = 2


def piece(rng):
    """Rounds of a loop for a tenth of a millisecond to half of one: no timer can be in step with that."""
    return rng.randrange(1000, 8000)


def stretch_ns(rng):
    return rng.randrange(3_000_000, 25_000_000)


def most(n):
    x = 1
    for i in range(n): x = (x * 31 + i) & 0xFFFF  # mark: most


def half_of_most(n):
    x = 1
    for i in range(n): x = (x * 33 + i) & 0xFFFF  # mark: half of most


def little(n):
    x = 1
    for i in range(n): x = (x * 35 + i) & 0xFFFF  # mark: little


def next_to_nothing(n):
    x = 1
    for i in range(n): x = (x * 37 + i) & 0xFFFF  # mark: next to nothing


LINES = {
    "most": (most, 60),
    "half of most": (half_of_most, 30),
    "little": (little, 9),
    "next to nothing": (next_to_nothing, 1),
}


def lines(truth, rng, seconds=3.0):
    """60, 30, 9 and 1 %, a fraction of a millisecond at a time."""
    work = [(truth.phase(name), function) for name, (function, _) in LINES.items()]
    shares = [share for _, share in LINES.values()]
    pieces = Pieces()
    while pieces.cpu_ns < seconds * 1e9:
        with pieces:
            for phase, function in rng.choices(work, shares, k=PIECES):
                rounds = piece(rng)
                pieces.done(None)
                function(rounds)
                pieces.done(phase)


def short(truth, rng):
    """The same, as short as a program can be that one still looks at."""
    lines(truth, rng, 0.3)


def blocks(truth, rng):
    """The same shares, each in one block."""
    for name, (function, share) in LINES.items():
        truth.phase(name).until(share * 3e7, lambda: function(5000))


def count():
    x = 1
    for i in range(9000): x = (x * 31 + i) & 0xFFFF  # mark: count
    return x


def add_up():
    return sum(range(40_000))  # mark: add up


def deflate(data=bytes(random.Random(1).randrange(64) for _ in range(1 << 15))):
    return zlib.compress(data, 4)  # mark: deflate


def read(device, buffer=bytearray(1 << 20)):
    for _ in range(4): device.readinto(buffer)  # mark: read


def in_turns(rng, seconds, work):
    """Stretches of a few milliseconds in random order; `work` has (phase, share, function)."""
    goals = [0] * len(work)
    while sum(phase.cpu_ns for phase, _, _ in work) < seconds * 1e9:
        for number in rng.sample(range(len(work)), len(work)):
            phase, share, function = work[number]
            goals[number] += share * stretch_ns(rng)
            phase.until(goals[number], function)


def modes(truth, rng):
    """Bytecode, C functions and the kernel."""
    with open("/dev/zero", "rb", buffering=0) as device:
        work = [
            (truth.phase("count"), 1.0, count),
            (truth.phase("add up"), 0.5, add_up),
            (truth.phase("deflate"), 0.8, deflate),
            (truth.phase("read"), 1.5, lambda: read(device)),
        ]
        in_turns(rng, 2.5, work)


def first_job():
    x = 1
    for i in range(9000): x = (x * 31 + i) & 0xFFFF  # mark: first job
    return x


def second_job():
    x = 1
    for i in range(9000): x = (x * 33 + i) & 0xFFFF  # mark: second job
    return x


def threads(truth, rng):
    """Three threads that share the interpreter: each has a line that another one has, too."""
    pairs = [(first_job, second_job), (second_job, count), (count, first_job)]
    marks = {first_job: "first job", second_job: "second job", count: "count"}
    started = []
    for number, functions in enumerate(pairs):
        own = random.Random(rng.random())
        work = [(truth.phase(marks[function]), share, function) for function, share in zip(functions, (1.0, 0.3))]
        started.append(threading.Thread(target=in_turns, args=(own, 0.5 + 0.3 * number, work)))
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def numbers(rng, pieces, phase):
    while True:
        x, rounds = 1, piece(rng)
        pieces.done(None)
        for i in range(rounds): x = (x * 31 + i) & 0xFFFF  # mark: make
        pieces.done(phase)
        yield x


def changed(source, rng, pieces, phase):
    for x in source:
        rounds = piece(rng) // 4
        pieces.done(None)
        for i in range(rounds): x = (x * 31 + i) & 0xFFFF  # mark: change
        pieces.done(phase)
        yield x


def generators(truth, rng):
    """One generator feeds another, which feeds a loop."""
    pieces, taking = Pieces(), truth.phase("take")
    source = changed(numbers(rng, pieces, truth.phase("make")), rng, pieces, truth.phase("change"))
    while pieces.cpu_ns < 1e9:
        with pieces:
            for _ in range(PIECES // 2):
                x, rounds = next(source), piece(rng) // 2
                pieces.done(None)
                for i in range(rounds): x = (x * 31 + i) & 0xFFFF  # mark: take
                pieces.done(taking)


def work_of_process(seed):
    own = Truth()
    rng = random.Random(seed)
    work = [(own.phase("first job"), 1.0, first_job), (own.phase("add up"), 0.4, add_up)]
    in_turns(rng, 0.3, work)
    return [phase.cpu_ns for phase, _, _ in work]


def processes(truth, rng):
    """A pool of two processes, and work in the one that waits for them."""
    phases = [truth.phase("first job"), truth.phase("add up")]
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        for results in pool.imap_unordered(work_of_process, [rng.random() for _ in range(6)], chunksize=1):
            for phase, ns in zip(phases, results):
                phase.cpu_ns += ns
            in_turns(rng, 0.05, [(truth.phase("count"), 1.0, count)])


async def ask(pieces, phase, rng, times):
    for _ in range(times):
        x, rounds = 1, piece(rng)
        pieces.done(None)
        for i in range(rounds): x = (x * 31 + i) & 0xFFFF  # mark: ask
        pieces.done(phase)
        await asyncio.sleep(0)


async def answer(pieces, phase, rng, times):
    for _ in range(times):
        x, rounds = 1, piece(rng) // 3
        pieces.done(None)
        for i in range(rounds): x = (x * 31 + i) & 0xFFFF  # mark: answer
        pieces.done(phase)
        await asyncio.sleep(0)


def tasks(truth, rng):
    """Tasks of an event loop that take turns."""

    async def turn(pieces, asking, answering):
        with pieces:
            await asyncio.gather(
                *(ask(pieces, asking, rng, PIECES // 8) for _ in range(4)),
                *(answer(pieces, answering, rng, PIECES // 8) for _ in range(4)),
            )

    async def main():
        pieces, asking, answering = Pieces(), truth.phase("ask"), truth.phase("answer")
        while pieces.cpu_ns < 5e8:
            await turn(pieces, asking, answering)

    asyncio.run(main())


def objects():
    # Thrown away on the same line: what a function returns or leaves behind is freed in its caller.
    for _ in range(3): [(i, i * 3) for i in range(1000)]  # mark: objects


def listed():
    for _ in range(3): list(range(7000))  # mark: listed


def encoded(rows=[{"id": i, "name": "item %d" % i} for i in range(300)]):
    for _ in range(2): json.dumps(rows)  # mark: encoded


def memory(truth, rng):
    """Objects that are made and thrown away."""
    work = [
        (truth.phase("objects"), 1.0, objects),
        (truth.phase("listed"), 0.5, listed),
        (truth.phase("encoded"), 0.7, encoded),
    ]
    in_turns(rng, 2.0, work)


def recursion(truth, rng):
    """A function that calls itself, with work on the way down, at the bottom and on the way up."""
    pieces = Pieces()
    down, bottom, up = (truth.phase(name) for name in ("down", "bottom", "up"))

    def descend(depth):
        x, rounds = 1, piece(rng) // 2
        pieces.done(None)
        for i in range(rounds): x = (x * 31 + i) & 0xFFFF  # mark: down
        pieces.done(down)
        if depth:
            descend(depth - 1)
        else:
            for _ in range(BOTTOM_PIECES):
                for i in range(4000): x = (x * 31 + i) & 0xFFFF  # mark: bottom
                pieces.done(bottom)
        for i in range(rounds // 3): x = (x * 31 + i) & 0xFFFF  # mark: up
        pieces.done(up)

    while pieces.cpu_ns < 4e8:
        with pieces:
            for _ in range(DESCENTS):
                descend(rng.randrange(5, 60))


PROGRAMS = (lines, short, blocks, modes, threads, generators, processes, tasks, memory, recursion)


def main(name, path, seed):
    truth = Truth()
    (program,) = [program for program in PROGRAMS if program.__name__ == name]
    program(truth, random.Random(seed))
    truth.write(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
