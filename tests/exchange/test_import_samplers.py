# SPDX-License-Identifier: Apache-2.0
"""Files of the real tools have the sums that those tools say."""

import cProfile
import os
import pstats
import re
import subprocess
import sys
import time

import consumers
import pytest
import pythons
from consumers import run
from imported import Imported

PROGRAM = """
import sys, threading, time

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        inner()

def inner():
    sum(i * i for i in range(1000))

thread = threading.Thread(target=burn, args=(float(sys.argv[1]),), name="worker")
thread.start()
burn(float(sys.argv[1]))
thread.join()
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def austin(*words):
    """Runs it. It gives up on a program that is not there after 100 ms, unless told to wait longer, and on one that it looks
    at while the kernel is replacing its image."""
    too_early = ("not a Python", "terminated too quickly")
    return run(consumers.sampler("austin"), "-t", "5s", "-i", "2ms", *words, too_early=too_early)


def numbers_of(path):
    """What stands behind each stack, where that is one number."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [int(line.rsplit(" ", 1)[1]) for line in lines]


def test_py_spy(program, tmp_path):
    out = tmp_path / "spy.txt"
    py_spy = [consumers.sampler("py-spy"), "record", "-r", "100", "-f", "raw", "-t", "-o", out, "--"]
    run(*py_spy, sys.executable, program, "0.3")
    imported = Imported(out)
    assert imported.sums()["samples"] == sum(numbers_of(out))
    assert imported.sums()["wall"] == sum(numbers_of(out)) * 10_000_000
    page = imported.page()
    assert "worker" in " ".join(page.texts("thread.name"))
    assert any(frame[0] == "burn" and frame[1] > 0 for node in page["sample.stack"] for frame in page.stack(node))


@pytest.mark.parametrize("options", [[], ["-s"], ["-g"]], ids=["wall", "cpu", "gc"])
def test_austin(program, tmp_path, options):
    out = tmp_path / "austin.txt"
    austin(*options, "-o", out, sys.executable, program, "0.3")
    imported = Imported(out)
    assert imported.sums()["wall"] == sum(numbers_of(out)) * 1000
    assert imported.own()["inner"] > 0
    assert len(set(imported.page()["thread.tid"])) >= 2


def test_austin_all_metrics(program, tmp_path):
    out = tmp_path / "austin.txt"
    austin("-f", "-o", out, sys.executable, program, "0.3")
    rows = [list(map(int, row)) for row in re.findall(r" (\d+),([01]),(-?\d+)$", out.read_text(), re.M)]
    sums = Imported(out).sums()
    assert sums["wall"] == 1000 * sum(row[0] for row in rows)
    assert sums["other_wait"] == 1000 * sum(row[0] for row in rows if row[1])
    assert sums["allocated"] == sum(max(row[2], 0) for row in rows)


def test_austin_binary(program, tmp_path):
    out = tmp_path / "austin.mojo"
    done = austin("-b", "-o", out, sys.executable, program, "0.3")
    imported = Imported(out)
    # Austin itself says how many samples there were, and how many of them were no good.
    said = re.search(r"(\d+)/(\d+)[^\n]*invalid", re.sub(r"\x1b\[\d+m", "", done.stdout + done.stderr))
    assert imported.sums()["samples"] <= int(said.group(2))
    assert imported.sums()["samples"] > 0.5 * int(said.group(2))
    assert imported.own()["inner"] > 0
    assert any(frame == ("inner", 10) for node in imported.page()["sample.stack"] for frame in imported.page().stack(node))


def test_cprofile(tmp_path):
    def leaf():
        return sum(i * i for i in range(2000))

    def middle(depth):
        return middle(depth - 1) + leaf() if depth else leaf()

    profile = cProfile.Profile()
    profile.runcall(lambda: [middle(5) for _ in range(20)] + [leaf()])
    out = tmp_path / "profile.pstats"
    profile.dump_stats(out)
    stats = pstats.Stats(str(out))
    imported = Imported(out)
    assert imported.sums()["wall"] == pytest.approx(stats.total_tt * 1e9, abs=1000)
    own = imported.own()
    for (_, _, name), (_, _, self_seconds, _, _) in stats.stats.items():
        if name in ("leaf", "middle"):
            assert own[f"test_cprofile.<locals>.{name}"] + own[name] == pytest.approx(self_seconds * 1e6, abs=50)


def test_cprofile_pairs_of_caller_and_callee(tmp_path):
    def leaf():
        return sum(range(20000))

    def one():
        return leaf()

    def two():
        return leaf() + leaf()

    profile = cProfile.Profile()
    profile.runcall(lambda: [one(), two()])
    out = tmp_path / "profile.pstats"
    profile.dump_stats(out)
    pairs = {}
    for stack, count in Imported(out).stacks("wall", "--functions").items():
        names = [frame.split(" (")[0] for frame in stack]
        if names[-1] == "leaf":
            pairs[names[-2]] = pairs.get(names[-2], 0) + count
    stats = pstats.Stats(str(out)).stats
    callers = next(value[4] for key, value in stats.items() if key[2] == "leaf")
    assert pairs == {key[2]: pytest.approx(value[2] * 1e6, abs=5) for key, value in callers.items()}


def test_perf_script(program, tmp_path):
    perf = consumers.command("perf")
    interpreter = next((python for python in pythons.found() if python.version >= (3, 12)), None)
    if interpreter is None:
        pytest.skip("no Python that can name its functions for perf")
    data, out = tmp_path / "perf.data", tmp_path / "perf.txt"
    run(perf, "record", "-e", "cpu-clock", "-F", "200", "--call-graph", "dwarf", "-o", data, interpreter.path, "-X", "perf", program, "0.3")
    out.write_text(run(perf, "script", "-i", data, "-F", "+pid").stdout)
    periods = list(map(int, re.findall(r"^\S.* (\d+) cpu-clock", out.read_text(), re.M)))
    imported = Imported(out)
    sums = imported.sums()
    assert (sums["samples"], sums["cpu"]) == (len(periods), sum(periods))
    kernel = sum(
        period
        for period, leaf in zip(periods, re.findall(r"cpu-clock.*\n\s+(\S+) ", out.read_text()))
        if int(leaf, 16) >> 63
    )
    assert sums["kernel"] == kernel
    python = {frame for stack in imported.stacks() for frame in stack if f"({program}" in frame}
    # perf's stacks end at the innermost Python function: nobody tells it how to unwind from there.
    assert any(frame.startswith("inner (") for frame in python)
    assert len(set(imported.page()["thread.tid"])) == 2


C_PROGRAM = """
static long leaf(long n) { long s = 0; for (long i = 0; i < n; i++) s += i * i; return s; }
static long once(long n) { return leaf(n) + 1; }
int main() { return (once(3000) + leaf(500)) == 1; }
"""


def test_callgrind(tmp_path):
    source, binary, out = tmp_path / "t.c", tmp_path / "t", tmp_path / "callgrind.out"
    source.write_text(C_PROGRAM)
    run(consumers.command("gcc"), "-g", "-O0", source, "-o", binary)
    run(consumers.command("valgrind"), "--tool=callgrind", f"--callgrind-out-file={out}", "--dump-instr=yes", "--collect-jumps=yes", binary)
    total = int(re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.M).group(1))
    imported = Imported(out)
    assert not imported.sums()["wall"]  # instructions are no time
    said = run(consumers.command("callgrind_annotate"), "--threshold=100", out).stdout
    page = imported.page()
    assert sum(page["amount.value"]) == total
    own = {}
    for node, instructions in zip(page["amount.stack"], page["amount.value"]):
        name = page.stack(node)[-1][0]
        own[name] = own.get(name, 0) + instructions
    for name in ("leaf", "once", "main"):
        shown = re.search(rf"^ *([\d,]+) .*t\.c:{name} ", said, re.M).group(1)
        assert own[name] == int(shown.replace(",", "")), name
    # It has one caller; leaf has two, so nobody stands above it.
    below = {page.stack(node)[-1][0]: [name for name, _ in page.stack(node)] for node in page["amount.stack"]}
    assert below["once"][-2:] == ["main", "once"] and below["leaf"] == ["leaf"]


@pytest.fixture
def running(program):
    """(interpreter, pid) of a program under a Python that has a sampler of its own."""
    interpreter = next((python for python in pythons.found() + pythons.foreign() if python.version >= (3, 15)), None)
    if interpreter is None:
        pytest.skip("no Python with a sampler of its own")
    with subprocess.Popen([interpreter.path, program, "60"]) as process:
        time.sleep(0.5)
        yield interpreter.path, process.pid
        process.kill()


def test_sampler_of_cpython(running, tmp_path):
    python, pid = running
    out = tmp_path / "sampled.txt"
    run(python, "-m", "profiling.sampling", "attach", "-a", "-r", "200", "-d", "1", "--collapsed", "-o", out, pid)
    imported = Imported(out, "--count-is", "5ms")
    assert imported.sums()["samples"] == sum(numbers_of(out))
    assert imported.sums()["wall"] == sum(numbers_of(out)) * 5_000_000
    assert len(set(imported.page()["thread.tid"])) == 2
    assert imported.own()["burn"] + imported.own()["inner"] > 0


def test_sampler_of_cpython_as_pstats(running, tmp_path):
    python, pid = running
    out = tmp_path / "sampled.pstats"
    run(python, "-m", "profiling.sampling", "attach", "-r", "200", "-d", "1", "--pstats", "-o", out, pid)
    say = "import marshal, sys; s = marshal.load(open(sys.argv[1], 'rb')); del s[('__sampled__',)];"
    say += "print(sum(v[0] for v in s.values()), sum(v[2] for v in s.values()))"
    samples, seconds = run(python, "-c", say, out).stdout.split()
    sums = Imported(out).sums()
    assert sums["samples"] == int(samples)
    assert sums["wall"] == pytest.approx(float(seconds) * 1e9, abs=1000)
