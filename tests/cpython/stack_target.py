# SPDX-License-Identifier: Apache-2.0
"""Enters one situation, tells its own stacks as JSON, and blocks until stdin ends.

usage: stack_target.py CASE. The truth is taken by an observer thread while every
other thread is blocked, so it holds for the blocked frames too. Runs on 3.8+.
"""

import asyncio
import contextlib
import ctypes
import functools
import itertools
import json
import os
import sys
import threading
import time
import types
import weakref

CASES = {}
DEPTH_LIMIT = 200000


def case(function):
    CASES[function.__name__] = function
    return function


def block():
    """Where every case ends."""
    PARKED.release()
    os.read(FOREVER, 1)


# ---- cases


@case
def plain():
    def inner(a, b=2, *rest, key=None, **more):
        block()

    def outer():
        inner(1, 2, 3, key=4, x=5)

    outer()


@case
def nested_generators():
    def leaf():
        yield 1
        block()
        yield 2

    def middle():
        yield from leaf()

    def consume():
        for value in middle():
            sum((value, 1))

    consume()


@case
def generator_expression_in_c():
    def item(i):
        if i == 3:
            block()
        return i

    def total():
        return sum(item(i) for i in range(10))

    total()


@case
def generator_send_throw_close():
    def receiver():
        try:
            yield
        finally:
            block()

    def closer():
        generator = receiver()
        next(generator)
        generator.close()

    closer()


@case
def coroutines():
    class Awaitable:
        def __await__(self):
            block()
            yield

    async def third():
        return await Awaitable()

    async def second():
        async with contextlib.AsyncExitStack():
            await third()

    async def first():
        await asyncio.gather(second())

    asyncio.run(first())


@case
def async_generators():
    async def numbers():
        for i in range(3):
            yield i
            if i == 1:
                block()

    async def main():
        async for _ in numbers():
            pass
        return [i async for i in numbers()]

    asyncio.run(main())


@case
def comprehensions():
    def park(i):
        if i == 2:
            block()
        return i

    def nest():
        return {a: [park(b) for b in range(3)] for a in {1, 2}}

    nest()


@case
def lambdas_and_decorators():
    def decorated(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)

        return wrapper

    @decorated
    @functools.lru_cache(maxsize=None)
    def work(n):
        return (lambda: (lambda: block())())() if n == 0 else work(n - 1)

    work(4)


def recurse(n):
    if n == 0:
        block()
    else:
        recurse(n - 1)


@case
def recursion_900():
    recurse(900)


@case
def recursion_20000():
    sys.setrecursionlimit(DEPTH_LIMIT)
    threading.stack_size(1 << 29)
    start(recurse, 20000)


@case
def recursion_through_c():
    def down(n):
        if n == 0:
            block()
        else:
            list(map(down, [n - 1]))

    down(60)


@case
def exec_and_eval():
    source = "def made():\n    park()\n\n\neval('made()', globals())\n"
    exec(compile(source, "<made up>", "exec"), {"park": block})


@case
def callbacks_from_c():
    def key(x):
        if x == 2:
            functools.partial(reducer, 1)()
        return x

    def reducer(_):
        functools.reduce(adder, [1, 2, 3])

    def adder(a, b):
        return max([a, b], key=deepest)

    def deepest(_):
        next(filter(predicate, itertools.count()))

    def predicate(_):
        block()

    sorted([3, 2, 1], key=key)


@case
def ctypes_callback():
    compare_type = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int)
    )

    def compare(a, b):
        block()
        return 0

    numbers = (ctypes.c_int * 3)(3, 1, 2)
    ctypes.CDLL(None).qsort(numbers, 3, ctypes.sizeof(ctypes.c_int), compare_type(compare))


class Finalized:
    def __init__(self, action):
        self.action = action

    def __del__(self):
        self.action()


@case
def finalizer():
    def drop():
        held = Finalized(block)
        del held

    drop()


@case
def finalizer_of_returning_frame():
    """The finalizer runs on top of a frame that has been left already."""

    def owner():
        held = Finalized(block)
        return id(held)

    def caller():
        return owner() + 1

    caller()


@case
def finalizer_of_returning_generator():
    def owner():
        held = Finalized(block)
        yield id(held)

    def caller():
        return list(owner())

    caller()


@case
def weakref_callback():
    def gone(_):
        block()

    def drop():
        held = Finalized(lambda: None)
        reference = weakref.ref(held, gone)
        del held
        return reference

    drop()


@case
def special_methods():
    class Base:
        def __init__(self, depth):
            self.depth = depth
            self.child

        @property
        def child(self):
            return self[self.depth]

        def __getitem__(self, depth):
            return self + depth

        def __add__(self, depth):
            if depth:
                return type(self)(depth - 1)
            with self:
                pass

        def __enter__(self):
            return str(self)

        def __exit__(self, *_):
            pass

        def __str__(self):
            return format(hash(self))

        def __hash__(self):
            return getattr(self, "missing")

        def __getattr__(self, name):
            block()

    Base(3)


@case
def specialized_init():
    class Point:
        def __init__(self, n):
            self.n = n
            if n == 500:
                block()

    def make():
        for i in range(1000):
            Point(i)

    make()


@case
def class_bodies_and_imports():
    class Meta(type):
        def __new__(mcs, name, bases, body):
            return super().__new__(mcs, name, bases, body)

        def __init__(cls, name, bases, body):
            block()

    class Outer:
        class Inner(metaclass=Meta):
            value = 1


@case
def except_and_finally():
    def fail():
        raise ValueError

    def handle():
        try:
            try:
                fail()
            finally:
                len([1])
        except ValueError:
            with contextlib.suppress(KeyError):
                block()

    handle()


@case
def multi_line_expressions():
    def park(*_):
        block()
        return 1

    def spread():
        return (
            1
            + sum(
                [
                    2,
                    park(
                        "first",
                        "second",
                    ),
                ]
            )
        )

    spread()


@case
def no_line():
    def unlined():
        block()

    code = unlined.__code__
    units = len(code.co_code) // 2
    if sys.version_info >= (3, 11):
        heads = [0xF8 | min(units - i, 8) - 1 for i in range(0, units, 8)]
        unlined.__code__ = code.replace(co_linetable=bytes(heads))
    elif sys.version_info >= (3, 10):
        unlined.__code__ = code.replace(co_linetable=bytes([units * 2, 128]))
    unlined()


@case
def latin_names():
    exec(compile("def é(park):\n    park()\né(park)", "<latin é>", "exec"), {"park": block})


@case
def bmp_names():
    exec(compile("def имя(park):\n    park()\nимя(park)", "<имя 名>", "exec"), {"park": block})


@case
def astral_names():
    source = "def 𝔘𐊀(park):\n    park()\n𐊀 = 𝔘𐊀; 𐊀(park)"
    exec(compile(source, "<astral 😀>", "exec"), {"park": block})


@case
def undecodable_path():
    exec(compile("park()", "<bad \udce9>", "exec"), {"park": block})


@case
def many_frames_sizes():
    """Frames of very different sizes, over several chunks of the data stack."""
    makers = []
    for i in range(40):
        names = ", ".join(f"v{j}" for j in range(1 + i * 23 % 400))
        zeros = ", ".join("0" for _ in range(1 + i * 23 % 400))
        body = f"def f(rest):\n    {names}, = {zeros},\n    return rest.pop()(rest)\n"
        scope = {}
        exec(compile(body, f"<size {i}>", "exec"), scope)
        makers.append(scope["f"])
    chain = [lambda rest: block()] + makers * 3
    chain.pop()(chain)


@case
def closures_and_cells():
    def level(n, collected):
        def inner():
            collected.append(n)
            level(n - 1, collected) if n else block()

        inner()

    level(12, [])


@case
def threads():
    def worker(n):
        recurse(n) if n % 2 else time.sleep(3600)

    for n in range(1, 8):
        thread = threading.Thread(target=worker, args=(n,), daemon=True)
        thread.start()
        if n % 2:
            PARKED.acquire()
    lock = threading.Lock()
    lock.acquire()
    threading.Thread(target=lock.acquire, daemon=True).start()
    queue = threading.Condition()

    def waiter():
        with queue:
            queue.wait()

    threading.Thread(target=waiter, daemon=True).start()
    time.sleep(0.3)
    block()


@case
def greenlets():
    import greenlet

    def other():
        recurse(5)

    def main():
        greenlet.greenlet(lambda: greenlet.greenlet(other).switch()).switch()

    main()


def subinterpreters():
    if sys.version_info >= (3, 13):
        import _interpreters as module
    else:
        import _xxsubinterpreters as module
    return module


@case
def subinterpreter():
    module = subinterpreters()
    source = f"import os\ndef inside():\n    os.read({FOREVER}, 1)\ninside()\n"
    identity = module.create()
    run = getattr(module, "exec", None) or module.run_string
    threading.Thread(target=run, args=(identity, source), daemon=True).start()
    time.sleep(0.5)
    block()


# ---- telling


def start(function, *args):
    thread = threading.Thread(target=function, args=args, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(1)


def told(text):
    return text.encode("utf-8", "backslashreplace").decode()


def describe(frame):
    code = frame.f_code
    line, lasti = frame.f_lineno, frame.f_lasti
    position = None
    if hasattr(code, "co_positions") and lasti >= 0:
        position = next(itertools.islice(code.co_positions(), lasti // 2, None))
    return {
        "name": told(getattr(code, "co_qualname", code.co_name)),
        "filename": told(code.co_filename),
        "line": line,
        "lasti": lasti,
        "position": position,
        "code": id(code),
    }


def stacks():
    result = {}
    for identity, frame in sys._current_frames().items():
        if identity != threading.get_ident():
            result[str(identity)] = stack = []
            while frame is not None:
                stack.append(describe(frame))
                frame = frame.f_back
    return result


def observe():
    PARKED.acquire()
    truth = stacks()
    while True:  # until nothing moves any more
        time.sleep(0.1)
        before, truth = truth, stacks()
        if before == truth:
            break
    types_ = {
        "code": id(types.CodeType),
        "generator": id(types.GeneratorType),
        "coroutine": id(types.CoroutineType),
        "async_generator": id(types.AsyncGeneratorType),
    }
    runtime = ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime"))
    told_all = {
        "pid": os.getpid(),
        "version": sys.hexversion,
        "runtime": runtime,
        "types": types_,
        "observer": threading.get_ident(),
        "native": {str(t.ident): getattr(t, "native_id", 0) for t in threading.enumerate()},
        "stacks": truth,
    }
    os.write(1, json.dumps(told_all).encode() + b"\n")
    os.read(0, 1)
    os._exit(0)


if __name__ == "__main__":
    PARKED = threading.Semaphore(0)
    FOREVER = os.pipe()[0]
    threading.Thread(target=observe, daemon=True).start()
    CASES[sys.argv[1]]()
