# SPDX-License-Identifier: Apache-2.0
"""Programs whose memory is known, line by line, against what pyrometer says."""

import json

import memory_judgement
import package_environment
import pytest
import pythons
from pyrometer_tool import TARGETS, expect_success, marks, profile

LINES, NUMPY = TARGETS / "memory_lines.py", TARGETS / "memory_numpy.py"
# Small enough that 200 MB of small objects are known to 1 % (one standard deviation).
INTERVAL = 16 << 10
DEFAULT_INTERVAL = 64 << 10
LARGE, SMALL = 0.01, 0.05  # allowed beside chance
CASES = {
    "big": LARGE,
    "small": SMALL,
    "churn": SMALL,
    "append": LARGE,
    "sawtooth": LARGE,
    "realloc": LARGE,
    "mapped": LARGE,
    "ranges": LARGE,
    "untouched": LARGE,
    "discarded": LARGE,
    "handed_over": LARGE,
    "peak": LARGE,
    "other_thread": SMALL,
    "fork": LARGE,
    "copies": SMALL,
    "elements": SMALL,
}
SMOKE = ("small", "peak", "realloc", "untouched")
NUMPY_CASES = {"arrays": LARGE, "temporaries": LARGE, "redundant": SMALL, "untouched": LARGE}
UNTOUCHED_RESIDENT_BYTES = 300 << 20


def matrix(long):
    main, others = pythons.split()
    yield from ((python, case) for python in main for case in CASES)
    # Of a stripped interpreter nobody knows which functions copy.
    yield from ((python, case) for python in others for case in CASES if case in SMOKE or (long and case != "elements"))


def pytest_generate_tests(metafunc):
    long = metafunc.config.getoption("--long")
    if "case" in metafunc.fixturenames:
        rows = list(matrix(long))
        metafunc.parametrize("python, case", rows, ids=[f"{case}-{python}" for python, case in rows])
    elif "numpy_case" in metafunc.fixturenames:
        found = package_environment.candidates(long)
        rows = [(python, case) for python in (found if long else found[-1:]) for case in NUMPY_CASES]
        metafunc.parametrize("python, numpy_case", rows, ids=[f"{case}-{python}" for python, case in rows])


def run(script, words, path, part, interval=INTERVAL):
    """(report, findings) of one program."""
    options = [] if interval is None else ["--mem-interval", interval]
    profiled = expect_success(profile([script, *words], path, options))
    truths = json.loads(profiled.process.stdout)
    return profiled.report, memory_judgement.judge(script, truths, profiled.report.process, interval or DEFAULT_INTERVAL, part)


def assert_right(findings):
    assert not memory_judgement.wrong(findings), "\n".join(map(str, findings))


def test_lines(python, case):
    report, findings = run(LINES, [case], python.path, CASES[case])
    assert_right(findings)
    assert report.memory_losses() == 0
    assert_within_resident(report.process)


def assert_within_resident(process):
    """Nothing can be in use that was never in RAM: these machines do not swap."""
    totals = process.memory_sums()["totals"]
    _, chance = totals.interval("live_at_peak")
    beyond = chance - totals.bytes("live_at_peak")
    assert totals.bytes("live_at_peak") < process.peak_resident + beyond


def test_blocks_in_flight_are_what_can_be_in_flight():
    profiled = expect_success(profile([LINES, "handed_over"], pythons.split()[0][0].path))
    memory = profiled.report.process.memory(LINES, marks(LINES)["handed"])
    waiting = int(profiled.process.stderr.split()[0])
    assert waiting * (8 << 20) <= memory.bytes("peak") <= 8 * (8 << 20) + memory_judgement.BESIDE_BYTES


def test_peak_resident_is_the_kernels():
    """As the program itself reads it, last thing."""
    script = "\n".join(
        ("x = bytearray(b'x') * 400_000_000", "del x", "print(next(l for l in open('/proc/self/status') if 'VmHWM' in l))")
    )
    profiled = expect_success(profile(["-c", script], pythons.split()[0][0].path))
    told = int(profiled.process.stdout.split()[1]) * 1024
    assert told <= profiled.report.process.peak_resident < told + (1 << 20)
    assert told <= profiled.report.merged.peak_resident < told + (1 << 20)


@pytest.mark.parametrize("options", [[], ["--memory-only"], ["--all"]], ids=["default", "memory-only", "all"])
def test_sums_hold_to_the_byte(options):
    profiled = expect_success(profile([LINES, "other_thread"], pythons.split()[0][0].path, options))
    for view in (profiled.report.process, profiled.report.merged):
        sums = view.memory_sums()
        for figure in ("allocated", "live_at_peak", "live_at_exit", "copied"):
            assert len({memory.bytes(figure) for memory in sums.values()}) == 1, figure
        assert sums["totals"].bytes("allocated") > 100 << 20


def test_kinds_are_apart():
    """An object is Python's, realloc's block native, a mapping mapped."""
    expected = {"big": ("big", "python"), "realloc": ("realloc", "native"), "mapped": ("mapped", "mapped")}
    for case, (mark, kind) in expected.items():
        profiled = expect_success(profile([LINES, case], pythons.split()[0][0].path))
        memory = profiled.report.process.memory(LINES, marks(LINES)[mark])
        assert memory.bytes("live_at_exit", kind) > 0.99 * memory.bytes("live_at_exit") > 200 << 20, case


def test_numpy_lines(python, numpy_case):
    path = package_environment.environment(python)
    report, findings = run(NUMPY, [numpy_case], path, NUMPY_CASES[numpy_case])
    assert_right(findings)
    if numpy_case == "untouched":
        assert 0 < max(report.process.resident) < UNTOUCHED_RESIDENT_BYTES


def test_default_interval_covers_the_truth():
    """Without --mem-interval the agent chooses; the interval in the report says what that is worth."""
    profiled = expect_success(profile([LINES, "small"], pythons.split()[0][0].path))
    numbers = marks(LINES)["small"]
    told = json.loads(profiled.process.stdout)
    assert told
    for _, figure, truth, _ in told:
        memory = profiled.report.process.memory(LINES, numbers)
        low, high = memory.interval(figure)
        assert low < memory.bytes(figure) < high
        half = (high - low) / 2
        assert abs(memory.bytes(figure) - truth) < half * memory_judgement.DEVIATIONS / 1.96
        # 200 MB in a quarter of a second: how many samples that is depends on how busy the machine is.
        assert half < 0.5 * truth


def test_child_of_a_fork_has_only_its_own():
    profiled = expect_success(profile([LINES, "fork"], pythons.split()[0][0].path))
    at = marks(LINES)
    parent, child = profiled.report.processes
    assert child.memory(LINES, at["own"]).bytes("live_at_exit") == pytest.approx(100 << 20, rel=LARGE)
    assert child.memory(LINES, at["inherited"]).bytes("live_at_peak") == 0
    assert parent.memory(LINES, at["own"]).bytes("allocated") == 0
    merged = profiled.report.merged
    assert merged.memory(LINES, at["own"] | at["inherited"]).bytes("allocated") == pytest.approx(300 << 20, rel=LARGE)


@pytest.mark.parametrize("seconds", [4, pytest.param(180, marks=pytest.mark.long)])
def test_producer_and_consumer_do_not_drift(seconds):
    python = pythons.split()[0][0]
    profiled = expect_success(profile([LINES, "pipe", seconds], python.path, timeout=seconds + 120))
    truths = {figure: (truth, block) for _, figure, truth, block in json.loads(profiled.process.stdout)}
    memory = profiled.report.process.memory(LINES, marks(LINES)["produce"])
    # 50 blocks in the queue and one in each hand; no sample may be left behind.
    assert memory.bytes("live_at_exit") < memory_judgement.BESIDE_BYTES
    assert memory.bytes("peak") < 20 << 20
    # The busier the machine, the fewer samples for the same CPU time: the report says how far to trust them.
    low, high = memory.interval("allocated")
    chance = memory_judgement.DEVIATIONS / 1.96 * (high - low) / 2
    truth = truths["allocated"][0]
    assert memory.bytes("allocated") == pytest.approx(truth, abs=0.05 * truth + chance)
    assert chance < 0.5 * truth
    assert not profiled.report.leaks(LINES)


@pytest.mark.parametrize(
    ("seconds", "per_second", "options", "part"),
    [
        (12, 1_000_000, ["--mem-interval", INTERVAL], 0.3),
        pytest.param(240, 1_000_000 / 60, [], 1.0, marks=pytest.mark.long),
    ],
    ids=["quick", "1-MB-a-minute"],
)
def test_leak_is_found_and_nothing_else(seconds, per_second, options, part):
    script = TARGETS / "memory_growth.py"
    profiled = expect_success(
        profile([script, seconds, per_second], pythons.split()[0][0].path, options, timeout=seconds + 120)
    )
    truth = json.loads(profiled.process.stdout)
    leaks = profiled.report.leaks(script)
    assert set(leaks) == marks(script)["leak"]
    (leak,) = leaks.values()
    rate = truth["leaked"] / truth["seconds"]
    assert leak["probability"] > 0.95
    # 95 % of the runs are within the interval; all of them within one of more than twice its width.
    assert abs(leak["bytes_per_second"] - rate) < 1.2 * (leak["high"] - leak["low"])
    assert leak["bytes_per_second"] == pytest.approx(rate, rel=part)
