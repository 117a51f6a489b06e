# SPDX-License-Identifier: Apache-2.0
"""What asyncio tasks await, against what the program measured: the time of each await line, and of all."""

import json
import pathlib

import pytest
import pythons
from judgement import Finding, wrong
from matrix import DEFAULT, PERF
from pyrometer_tool import TARGETS, expect_success, marks, profile

TARGET = TARGETS / "awaits.py"
BORDERS = {"nap": 16, "get": 18, "set": 4}  # beginnings and ends of awaits at each line
SETTINGS = [(python, DEFAULT) for python in pythons.found() + pythons.foreign()] + [(pythons.split()[0][0], PERF)]


def await_lines(report):
    """Mark -> (seconds, samples, chains) of its line."""
    by_line = {number: name for name, numbers in marks(TARGET).items() for number in numbers}
    found = {}
    for entry in report.data["awaits"]:
        if entry["place"]["path"].endswith("awaits.py") and entry["place"]["line"] in by_line:
            time = entry["await"]
            seconds = time["suspended_seconds"] + time["ready_seconds"]
            found[by_line[entry["place"]["line"]]] = (seconds, time["samples"], entry["chains"])
    return found


@pytest.mark.parametrize(("python", "setting"), SETTINGS, ids=lambda value: getattr(value, "name", str(value)))
def test_await_lines(python, setting, duration, truth_file, ledger):
    report = expect_success(profile([TARGET, truth_file, 2.0 * duration], python.path, setting.options)).report
    truth = json.loads(pathlib.Path(truth_file).read_text())
    seen = await_lines(report)
    assert set(seen) == set(truth)
    whole, all_seen = sum(truth.values()), sum(seconds for seconds, _, _ in seen.values())
    samples = sum(count for _, count, _ in seen.values())
    findings = [
        Finding(f"await {name}", truth[name] / whole, seen[name][0] / all_seen, samples, BORDERS[name])
        for name in truth
    ]
    findings.append(Finding("all awaits", 0.5, 0.5 * all_seen / whole, samples, sum(BORDERS.values())))
    ledger.add("awaits", f"{python} {setting.name}", findings)
    assert not wrong(findings), "\n".join(map(str, findings))
    (chain,) = (chain["frames"] for chain in seen["nap"][2])
    assert [frame["function"] for frame in chain][:3] == ["producer", "naps", "nap"]
    tasks = {entry["coroutine"]: entry for entry in report.data["tasks"]}
    assert {"main", "producer", "consumer", "waiter"} <= set(tasks)
    assert tasks["waiter"]["tasks"] == 2
    assert tasks["consumer"]["cpu_seconds"] > tasks["producer"]["cpu_seconds"] > 0
