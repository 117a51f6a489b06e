# SPDX-License-Identifier: Apache-2.0
"""One run of one command, and pairs of them."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    """`wall` and `cpu` are of the whole command with all its children; `facts` are the program's own."""

    wall: float
    cpu: float
    facts: dict


class Pair(NamedTuple):
    bare: Run
    profiled: Run
    capture_bytes: int
    costs: dict


def run(command, result=None):
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            tail = errors.read().decode(errors="replace").splitlines()[-1:]
            sys.exit(f"exit code {process.returncode}: {' '.join(map(str, command))}: {''.join(tail)}")
    facts = json.loads(Path(result).read_text()) if result else {}
    return Run(wall, usage.ru_utime + usage.ru_stime, facts)


def more_megabytes(bare, profiled):
    """What the profiled program had more at its peak, by the facts of both."""
    return (profiled["peak"] - bare["peak"]) / 1e6


def beyond_megabytes(bare, profiled):
    """The same, beyond 2 % of the bare program."""
    return (profiled["peak"] - 1.02 * bare["peak"]) / 1e6


def side_by_side(tool, options, python, words, results):
    """Runs `python WORDS RESULT` bare and profiled at the same time, both on the first CPU: what each says of itself.

    The scheduler lets them take turns every few milliseconds, so that whatever slows the machine down slows down both.
    pyrometer itself has the other CPUs.
    """
    with tempfile.TemporaryDirectory(prefix="pyrometer-bench-") as folder:
        alone = ["taskset", "-c", "0", python, *words]
        commands = [
            [*alone, results[0]],
            [tool, "run", *options, "--no-report", "-o", Path(folder, "x.pyro"), *alone, results[1]],
        ]
        order = random.sample((0, 1), 2)
        others = set(range(1, os.cpu_count() or 1)) or {0}
        processes = {
            i: subprocess.Popen(
                list(map(str, commands[i])),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                preexec_fn=lambda: os.sched_setaffinity(0, others),
            )
            for i in order
        }
        if [process.wait() for process in processes.values()] != [0, 0]:
            sys.exit(f"it failed: {' '.join(map(str, words))}")
    return [json.loads(Path(result).read_text()) for result in results]


def pair(tool, options, python, words, result=None):
    """Runs `python WORDS` bare and profiled, in random order."""
    with tempfile.TemporaryDirectory(prefix="pyrometer-bench-") as folder:
        capture, report = Path(folder, "x.pyro"), Path(folder, "x.json")
        commands = {
            "bare": [python, *words],
            "profiled": [tool, "run", *options, "-o", capture, "--python", python, *words],
        }
        runs = {}
        for name in random.sample(sorted(commands), 2):
            runs[name] = run(commands[name], result)
        subprocess.run([tool, "report", "--json", report, capture], check=True, stdout=subprocess.DEVNULL)
        costs = {}
        for entry in json.loads(report.read_text())["costs"]:
            costs[entry["id"]] = costs.get(entry["id"], 0) + entry["value"]
        return Pair(runs["bare"], runs["profiled"], capture.stat().st_size, costs)
