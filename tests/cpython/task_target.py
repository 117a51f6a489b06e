# SPDX-License-Identifier: Apache-2.0
"""Makes asyncio tasks in known states, tells them as JSON, and waits until stdin ends.

usage: task_target.py CASE. The truth is taken by an observer thread while every
loop is blocked. Runs on 3.8+.
"""

import asyncio
import contextlib
import ctypes
import gc
import json
import os
import sys
import threading
import time
import types

CASES = {}
LOOPS = []
KNOWN_NAMES = {}  # of tasks that must not be asked
KEPT = []  # what must not be collected before the truth is told
BLOCKED = []  # tasks that run
READY = threading.Semaphore(0)
FOREVER = os.pipe()[0]
RUNNING, SUSPENDED, READY_STATE, DONE = range(4)


def case(function):
    CASES[function.__name__] = function
    return function


def spawn(coroutine, **options):
    task = asyncio.get_running_loop().create_task(coroutine, **options)
    KEPT.append(task)
    return task


async def parked(told=READY):
    """Ends every case: the loop is idle from here on."""
    for _ in range(20):
        await asyncio.sleep(0)
    LOOPS.append(asyncio.get_running_loop())
    told.release()
    await asyncio.get_running_loop().create_future()


def block_in(task):
    """The loop is stuck inside of `task` from here on."""
    BLOCKED.append(task)
    LOOPS.append(asyncio.get_running_loop())
    READY.release()
    os.read(FOREVER, 1)


async def forever():
    await asyncio.get_running_loop().create_future()


# ---- cases


@case
async def sleep():
    spawn(asyncio.sleep(1000))

    async def nap():
        await asyncio.sleep(
            1000,
        )

    spawn(nap())
    await parked()


@case
async def lock():
    mutex = asyncio.Lock()
    await mutex.acquire()

    async def user():
        async with mutex:
            pass

    spawn(user())
    spawn(user())
    await parked()


@case
async def queue():
    jobs = asyncio.Queue()

    async def consumer():
        while True:
            await jobs.get()

    spawn(consumer())
    jobs.put_nowait(1)
    await parked()


@case
async def gather():
    async def group():
        await asyncio.gather(forever(), asyncio.sleep(1000))

    spawn(group())
    await parked()


@case
async def task_group():
    async def group():
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(forever())
            tasks.create_task(asyncio.sleep(1000))

    spawn(group())
    await parked()


@case
async def nested():
    async def fifth():
        value = 1
        await asyncio.sleep(1000 + value)

    async def fourth():
        return [await fifth(), 2]

    async def third():
        try:
            raise ValueError
        except ValueError:
            await fourth()

    async def second():
        for _ in range(3):
            await third()

    async def first():
        await second()

    spawn(first())
    await parked()


@case
async def deep():
    async def recurse(n):
        if n:
            await recurse(n - 1)
        else:
            await forever()

    spawn(recurse(200))
    await parked()


@case
async def async_generators():
    async def inner():
        yield 1
        await forever()
        yield 2

    async def outer():
        async for value in inner():
            yield value

    async def consumer():
        async for _ in outer():
            pass

    async def comprehension():
        return [value async for value in outer()]

    async def by_hand():
        steps = outer()
        await steps.__anext__()
        await steps.asend(None)

    for one in (consumer, comprehension, by_hand):
        spawn(one())
    await parked()


@case
async def async_generator_closing():
    async def inner():
        try:
            yield 1
        finally:
            await forever()

    async def closer():
        steps = inner()
        await steps.__anext__()
        await steps.aclose()

    async def thrower():
        steps = inner()
        await steps.__anext__()
        await steps.athrow(ValueError())

    spawn(closer())
    spawn(thrower())
    await parked()


@case
async def async_with():
    class Slow:
        async def __aenter__(self):
            await forever()

        async def __aexit__(self, *error):
            pass

    class SlowExit(Slow):
        async def __aenter__(self):
            pass

        async def __aexit__(self, *error):
            await forever()

    @contextlib.asynccontextmanager
    async def manager():
        await forever()
        yield

    async def user(what):
        async with what:
            pass

    for one in (Slow(), SlowExit(), manager()):
        spawn(user(one))
    await parked()


@case
async def anext_default():
    async def numbers():
        await forever()
        yield 1

    async def user():
        await anext(numbers(), None)

    spawn(user())
    await parked()


@case
async def awaitables():
    class ByGenerator:
        def __await__(self):
            yield from forever().__await__()

    class ByWrapper:
        def __await__(self):
            return forever().__await__()

    @types.coroutine
    def old_style():
        yield from asyncio.get_running_loop().create_future()

    class ByIterator:
        """Its iterator is an ordinary object, behind which nothing can be seen."""

        def __init__(self):
            self.future = asyncio.get_running_loop().create_future()

        def __await__(self):
            return self

        def __iter__(self):
            return self

        def __next__(self):
            self.future._asyncio_future_blocking = True
            return self.future

    async def user(what):
        await what

    for one in (ByGenerator(), ByWrapper(), old_style(), ByIterator()):
        spawn(user(one))
    await parked()


@case
async def eager():
    loop = asyncio.get_running_loop()
    loop.set_task_factory(asyncio.eager_task_factory)

    async def child():
        await forever()

    async def parent():
        await spawn(child(), name="eager child")

    spawn(parent(), name="eager parent")
    await parked()


@case
async def named():
    names = ["plain", "Ünïcödé", "日本語", "\U0001f525 fire", "", "x" * 500]
    for name in names:
        spawn(forever(), name=name)
    spawn(forever())
    spawn(forever()).set_name("renamed")
    await parked()


@case
async def numbered():
    """Newer versions format the default name when somebody asks; here nobody does."""
    KNOWN_NAMES[id(asyncio.current_task())] = "Task-1"
    for i in range(2, 5):
        KNOWN_NAMES[id(spawn(forever()))] = f"Task-{i}"
    await parked()


@case
async def waits_for_task():
    async def waiter(task):
        await task

    first = spawn(forever(), name="first")
    second = spawn(waiter(first), name="second")
    spawn(waiter(second), name="third")

    async def shielded():
        await asyncio.wait_for(asyncio.shield(second), 1000)

    spawn(shielded())
    await parked()


@case
async def thousand():
    async def worker(i):
        await asyncio.sleep(1000 + i)

    for i in range(1000):
        spawn(worker(i), name=f"worker {i}")
    await parked()


@case
async def two_loops():
    others = threading.Semaphore(0)

    def other():
        async def main():
            spawn(forever(), name="other thread")
            await parked(others)

        asyncio.run(main())

    threading.Thread(target=other, daemon=True, name="second loop").start()
    threading.Thread(target=other, daemon=True).start()
    spawn(forever(), name="this thread")
    others.acquire()
    others.acquire()
    await parked()


@case
async def subclass():
    class Plain(asyncio.Task):
        pass

    class WithAttributes(Plain):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.extra = 1

    class WithSlots(asyncio.Task):
        __slots__ = ("one", "two")

    loop = asyncio.get_running_loop()
    KEPT.extend(kind(forever(), loop=loop) for kind in (Plain, WithAttributes, WithSlots))
    await parked()


@case
async def python_task():
    loop = asyncio.get_running_loop()
    make = asyncio.tasks._PyTask
    first = make(forever(), loop=loop, name="python")

    class Sub(make):
        def __init__(self, *args, **options):
            self.extra = 1
            super().__init__(*args, **options)

    async def waiter(what):
        await what

    future = asyncio.futures._PyFuture(loop=loop)
    KEPT.extend([first, Sub(waiter(first), loop=loop), make(waiter(future), loop=loop)])
    spawn(waiter(first), name="native waits for python")
    await parked()


@case
async def done():
    async def quick():
        return 1

    async def failing():
        raise ValueError

    KEPT.append(spawn(quick(), name="finished"))
    KEPT.append(spawn(failing(), name="failed"))
    spawn(forever(), name="cancelled").cancel()
    await parked()


@case
async def running():
    """The loop is blocked inside of a task; others are new, woken up, or wait."""
    spawn(forever(), name="waits")
    future = asyncio.get_running_loop().create_future()

    async def waiter():
        await future

    spawn(waiter(), name="woken")
    await asyncio.sleep(0)
    spawn(forever(), name="new")
    future.set_result(None)
    block_in(asyncio.current_task())


@case
async def running_python_task():
    async def blocker():
        block_in(KEPT[0])

    KEPT.append(asyncio.tasks._PyTask(blocker(), loop=asyncio.get_running_loop()))
    await parked()


# ---- the truth


def behind(awaited):
    """What a wrapper that CPython makes wraps, or None."""
    name = type(awaited).__name__
    wanted = {
        "FutureIter": asyncio.isfuture,
        "coroutine_wrapper": asyncio.iscoroutine,
        "async_generator_asend": lambda one: isinstance(one, types.AsyncGeneratorType),
        "async_generator_athrow": lambda one: isinstance(one, types.AsyncGeneratorType),
        "anext_awaitable": lambda one: one is not None,
    }.get(name)
    found = [one for one in gc.get_referents(awaited) if wanted(one)] if wanted else []
    return found[0] if found else None


def step(one):
    """(frame, awaited) of an object that has a frame, else None."""
    for prefix, kind, link in (
        ("cr", types.CoroutineType, "await"),
        ("gi", types.GeneratorType, "yieldfrom"),
        ("ag", types.AsyncGeneratorType, "await"),
    ):
        if isinstance(one, kind):
            return getattr(one, prefix + "_frame"), getattr(one, f"{prefix}_{link}")
    return None


def chain(coroutine):
    """([frames, innermost first], what the innermost awaits)."""
    frames, one = [], coroutine
    while one is not None:
        wrapped = behind(one)
        if wrapped is not None:
            one = wrapped
            continue
        found = step(one)
        if found is None:
            return frames, id(one)
        frame, awaited = found
        frames.insert(
            0,
            {
                "name": getattr(frame.f_code, "co_qualname", frame.f_code.co_name),
                "lasti": frame.f_lasti,
                "line": frame.f_lineno,
                "generator": id(one),
                "code": id(frame.f_code),
            },
        )
        one = awaited
    return frames, 0


def describe(task, loop):
    waiter = task._fut_waiter
    runs = any(task is one for one in BLOCKED)
    state = SUSPENDED if waiter is not None and not waiter.done() else READY_STATE
    frames, awaited = ([], 0) if runs else chain(task.get_coro())
    return {
        "task": id(task),
        "coroutine": id(task.get_coro()),
        "loop": id(loop),
        "waiter": id(waiter) if waiter is not None else 0,
        "name": KNOWN_NAMES.get(id(task)) or task.get_name(),
        "state": RUNNING if runs else state,
        "awaited": awaited,
        "frames": frames,
    }


def pending_tasks():
    # From 3.14 on tasks written in Python have a registry of their own.
    also = getattr(asyncio.tasks, "_py_all_tasks", asyncio.all_tasks)
    return [(task, loop) for loop in LOOPS for task in asyncio.all_tasks(loop) | also(loop)]


def observe():
    READY.acquire()
    time.sleep(0.05)
    truth = {
        "pid": os.getpid(),
        "version": sys.hexversion,
        "runtime": ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime")),
        "types": {
            "code": id(types.CodeType),
            "generator": id(types.GeneratorType),
            "coroutine": id(types.CoroutineType),
            "async_generator": id(types.AsyncGeneratorType),
        },
        "tasks": [describe(task, loop) for task, loop in pending_tasks()],
        "done": {id(one): one.get_name() for one in KEPT if isinstance(one, asyncio.Task) and one.done()},
        "threads": {str(thread.ident): thread.name for thread in threading.enumerate()},
    }
    print(json.dumps(truth), flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=observe, daemon=True, name="observer-\u00e9").start()
    asyncio.run(CASES[sys.argv[1]]())
