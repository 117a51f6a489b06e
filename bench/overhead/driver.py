# SPDX-License-Identifier: Apache-2.0
"""Runs one pyperformance program, or one of loops.py, in this process for a number of loops.

argv: folder of the benchmarks, program, loops (or `calibrate:SECONDS`), result file.
"""

import asyncio
import contextlib
import importlib.util
import json
import os
import sys
import time

from loops import LOOPS


def load(folder, name):
    path = os.path.join(folder, "bm_" + name, "run_benchmark.py")
    spec = importlib.util.spec_from_file_location("bm_" + name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def repeat(function, *args):
    def run(loops):
        for _ in range(loops):
            function(*args)

    return run


def async_tree(kind):
    def make(folder):
        tree = load(folder, "async_tree").BENCHMARKS[kind]()
        return repeat(lambda: asyncio.run(tree.run()))

    return make


def docutils(folder):
    module = load(folder, "docutils")
    return lambda loops: module.bench_docutils(loops, module.DOC_ROOT)


def fannkuch(folder):
    module = load(folder, "fannkuch")
    return repeat(module.fannkuch, module.DEFAULT_ARG)


def mdp(folder):
    return load(folder, "mdp").bench_mdp


def pprint(folder):
    module = load(folder, "pprint")
    return repeat(module.p.pformat, module.printable)


def raytrace(folder):
    module = load(folder, "raytrace")
    return lambda loops: module.bench_raytrace(loops, module.DEFAULT_WIDTH, module.DEFAULT_HEIGHT, None)


def sympy(folder):
    module = load(folder, "sympy")
    functions = [getattr(module, "bench_" + name) for name in module.BENCHMARKS]

    def run(loops):
        for _ in range(loops):
            for function in functions:
                module.bench_sympy(1, function)

    return run


PROGRAMS = {
    "async_tree_none": async_tree("none"),
    "async_tree_io": async_tree("io"),
    "async_tree_cpu_io_mixed": async_tree("cpu_io_mixed"),
    "async_tree_memoization": async_tree("memoization"),
    "docutils": docutils,
    "fannkuch": fannkuch,
    "mdp": mdp,
    "pprint": pprint,
    "raytrace": raytrace,
    "sympy": sympy,
    **{name: lambda folder, run=run: run for name, run in LOOPS.items()},
}


def peak_memory_bytes():
    # Not ru_maxrss: that one survives exec, so it may be the peak of whoever started us.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def loops_for(run, seconds):
    """How many loops take about `seconds`, judged by the fastest of a few after a first one that fills caches."""
    run(1)
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        run(1)
        best = min(best, time.perf_counter() - start)
    return max(1, round(seconds / best))


def main(folder, program, loops, result):
    # What a program prints is no part of the measurement.
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        run = PROGRAMS[program](folder)
        if loops.startswith("calibrate:"):
            facts = {"loops": loops_for(run, float(loops.split(":")[1]))}
        else:
            wall, cpu = time.perf_counter(), time.process_time()
            run(int(loops))
            facts = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "peak": peak_memory_bytes()}
    with open(result, "w") as out:
        json.dump(facts, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
