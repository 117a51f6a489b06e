# SPDX-License-Identifier: Apache-2.0
"""Prints where the running interpreter's C task objects keep their fields, for gen_layouts.py.

The structure is declared in no header. Known values are looked up in the memory
of tasks in known states; one "member offset" line each. Runs on 3.8+.
"""

import asyncio
import ctypes
import gc
import sys
import weakref

WORD = 8


def words(task):
    size = type(task).__basicsize__ // WORD
    return list((ctypes.c_uint64 * size).from_address(id(task)))


def states(task):
    size = type(task).__basicsize__ // 4
    return list((ctypes.c_int32 * size).from_address(id(task)))


def only(name, offsets):
    if len(offsets) != 1:
        sys.exit(f"{name}: {len(offsets)} candidates: {offsets}")
    return offsets[0]


def offset_of(name, tasks, value):
    """The one offset at which every task holds its `value(task)`."""
    all_words = [words(task) for task in tasks]
    found = [
        i * WORD
        for i in range(len(all_words[0]))
        if all(row[i] == id(value(task)) for row, task in zip(all_words, tasks))
    ]
    return only(name, found)


def node_offset(first, second):
    """Tasks made one after the other are neighbours in their thread's list (3.14+)."""
    size = type(first).__basicsize__
    links = []
    for i, word in enumerate(words(first)):
        at = word - id(second)
        if at == i * WORD or at == (i - 1) * WORD:
            back = words(second)[at // WORD : at // WORD + 2] if 0 <= at < size - WORD else []
            if id(first) + at in back:
                links.append(at)
    return only("node", sorted(set(links)))


def print_registries(module):
    """Where the module keeps tasks that are not its own, from 3.14 on, known to no Python code."""
    get_state = ctypes.pythonapi.PyModule_GetState
    get_state.restype, get_state.argtypes = ctypes.c_uint64, [ctypes.py_object]
    state = get_state(module)
    print("module_state", only("module_state", [i * WORD for i, w in enumerate(words(module)) if w == state]))
    marker = type("Foreign", (), {})()
    module._register_task(marker)
    module._register_eager_task(marker)
    holders = [one for one in gc.get_referents(module) if type(one) in (weakref.WeakSet, set) and marker in one]
    for name, kind in (("foreign_tasks", weakref.WeakSet), ("foreign_eager_tasks", set)):
        address = id(only(name, [one for one in holders if type(one) is kind]))
        offset = 0
        while ctypes.c_uint64.from_address(state + offset).value != address:
            offset += WORD
        print(name, offset)
    module._unregister_task(marker)
    module._unregister_eager_task(marker)


async def main():
    import _asyncio

    loop = asyncio.get_running_loop()
    names = ["name " + str(i) * 9 for i in range(3)]
    futures = [loop.create_future() for _ in names]

    async def wait(future):
        await future

    coroutines = [wait(future) for future in futures]
    tasks = [_asyncio.Task(c, loop=loop, name=n) for c, n in zip(coroutines, names)]
    if sys.version_info >= (3, 14):
        print_registries(_asyncio)
        print("node", node_offset(tasks[0], tasks[1]))
    await asyncio.sleep(0)
    print("size", type(tasks[0]).__basicsize__)
    print("loop", offset_of("loop", tasks, lambda task: loop))
    print("coroutine", offset_of("coroutine", tasks, lambda task: task.get_coro()))
    print("name", offset_of("name", tasks, lambda task: names[tasks.index(task)]))
    print("waiter", offset_of("waiter", tasks, lambda task: futures[tasks.index(task)]))
    pending = states(tasks[0]), states(futures[0])
    futures[0].set_result(None)
    futures[1].cancel()
    await asyncio.wait(tasks[:2])
    done, cancelled = states(tasks[0]), states(tasks[1])
    # The common head of tasks and futures: PENDING, CANCELLED, FINISHED are 0, 1, 2.
    found = [
        i * 4
        for i in range(len(states(futures[0])))
        if (pending[0][i], cancelled[i], done[i]) == (0, 1, 2)
        and (pending[1][i], states(futures[1])[i], states(futures[0])[i]) == (0, 1, 2)
    ]
    print("state", only("state", found))
    tasks[2].cancel()
    loop.set_debug(True)
    traced = [_asyncio.Task(wait(futures[0]), loop=loop) for _ in names]
    print("origin", offset_of("origin", traced, lambda task: task._source_traceback))


asyncio.run(main())
