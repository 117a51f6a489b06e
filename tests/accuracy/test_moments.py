# SPDX-License-Identifier: Apache-2.0
"""When something was: timelines against what the program has noted in the same run."""

import json

import pytest
import pythons
from page_data import PageData
from pyrometer_tool import TARGETS, expect_success, profile, pyrometer

SLEEP = 6  # in the column of activities
# Looks come every 10 ms, and a thread that wakes up waits for a CPU before it can look at its clock.
NEAR = 0.012


def pytest_generate_tests(metafunc):
    if "python" in metafunc.fixturenames:
        main, others = pythons.split()
        metafunc.parametrize("python", main + [one for one in others if one in pythons.found()], ids=str, scope="module")


@pytest.fixture(scope="module")
def run(python, tmp_path_factory):
    """A capture, its report, and when the program slept, in seconds since the start of the run."""
    capture = tmp_path_factory.mktemp("moments") / "moments.pyro"
    profiled = expect_success(profile(TARGETS / "moments.py", python.path, capture=capture))
    start = profiled.report.data["run"]["start_unix_seconds"]
    naps = [(begin - start, end - start) for begin, end in json.loads(profiled.process.stdout)]
    awake = min(after[0] - before[1] for before, after in zip(naps, naps[1:]))
    if profiled.report.unpolled > awake / 2:
        pytest.skip(f"the collector had no CPU for {profiled.report.unpolled:.2f} s")
    return capture, profiled.report, naps


def export(capture, format_):
    result = pyrometer("export", capture, "-f", format_, "-o", "-")
    assert result.returncode == 0, result.stderr
    return result.stdout


def naps_in(spans):
    """The naps among spans of (begin, end), in order. Time that was lost between two looks (the machine may have taken it) lies
    in crumbs before the wait that was found next; they belong to that wait, but they are no part of when it was."""
    found = []
    for begin, end in sorted(spans):
        if found and begin - found[-1][1] < 0.001:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return [(begin, end) for begin, end in found if end - begin > 0.05]


def late(report):
    """How far a look may have come too late on a busy machine: as long as the program itself had no CPU at a time."""
    return NEAR + report.process.totals.seconds("run_queue") / 10 + report.unpolled


def period(report):
    """How far a stretch on a CPU may reach into the wait before it: the first sample after a wait stands for CPU time of before
    it as well."""
    return report.process.data["sample_period_seconds"]


def assert_near(found, naps, tolerance):
    assert len(found) == len(naps), (found, naps)
    for (begin, end), (went, woke) in zip(found, naps):
        assert abs(begin - went) < tolerance and abs(end - woke) < tolerance, (found, naps)


def test_waits_in_the_data_of_the_page(run):
    """Waits of one stack were written about once a second: three stretches instead of six, and holes."""
    capture, report, naps = run
    data = PageData(export(capture, "page-data"))
    columns = (data[f"sample.{name}"] for name in ("time", "weight", "activity"))
    spans = [((time - weight) / 1e9, time / 1e9) for time, weight, activity in zip(*columns) if activity == SLEEP]
    assert_near(naps_in(spans), naps, late(report))


def test_calls_in_a_trace(run):
    """A call lasts as long as its function is on the stack, awake or asleep, and no time of the thread is missing."""
    capture, report, naps = run
    spans, open_calls, covered = [], [], 0.0
    for event in json.loads(export(capture, "chrome"))["traceEvents"]:
        if event["ph"] == "B":
            open_calls.append((event["name"], event["ts"] / 1e6))
        elif event["ph"] == "E":
            name, begin = open_calls.pop()
            end = event["ts"] / 1e6
            if name == "nap":
                spans.append((begin, end))
            if not open_calls:
                covered += end - begin
    assert_near(naps_in(spans), naps, late(report) + period(report))
    assert covered > 0.97 * report.process.elapsed - report.unpolled


def test_samples_of_a_firefox_profile(run):
    capture, report, naps = run
    data = json.loads(export(capture, "firefox"))
    shared, samples = data["shared"], data["threads"][0]["samples"]
    times = [time / 1e3 for time in samples["time"]]
    assert times == sorted(times)

    def function(stack):
        number = shared["frameTable"]["func"][shared["stackTable"]["frame"][stack]]
        return shared["stringArray"][shared["funcTable"]["name"][number]]

    # A sample lasts until the next one.
    lasting = zip(times, times[1:], samples["stack"])
    spans = [(begin, end) for begin, end, stack in lasting if stack is not None and function(stack) == "nap"]
    assert_near(naps_in(spans), naps, late(report) + period(report))
