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
    return capture, profiled.report, naps


def export(capture, format_):
    result = pyrometer("export", capture, "-f", format_, "-o", "-")
    assert result.returncode == 0, result.stderr
    return result.stdout


def joined(spans, gap):
    """Spans of (begin, end), in order; what is nearer than `gap` is one."""
    found = []
    for begin, end in sorted(spans):
        if found and begin - found[-1][1] < gap:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return found


def late(report):
    """How far a look may have come too late on a busy machine: as long as the program itself had no CPU at a time."""
    return NEAR + report.process.totals.seconds("runnable") / 10


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
    # A wait that was too short to be seen is nobody's.
    naps_seen = [span for span in joined(spans, 0.02) if span[1] - span[0] > 0.05]
    assert_near(naps_seen, naps, late(report))


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
    naps_seen = [span for span in joined(spans, 0.001) if span[1] - span[0] > 0.05]
    assert_near(naps_seen, naps, late(report))
    assert covered > 0.97 * report.process.elapsed


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
    naps_seen = [span for span in joined(spans, 0.02) if span[1] - span[0] > 0.05]
    assert_near(naps_seen, naps, late(report))
