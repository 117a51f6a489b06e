# SPDX-License-Identifier: Apache-2.0
"""The profiles of V8, which editors and browsers open."""

import json

import pytest
from exported import MEMORY


def test_cpuprofile(exports, totals):
    profile = json.loads(exports.text("cpuprofile"))
    nodes = {node["id"]: node for node in profile["nodes"]}
    children = [child for node in profile["nodes"] for child in node["children"]]
    assert sorted([1, *children]) == sorted(nodes)  # a tree
    assert len(profile["samples"]) == len(profile["timeDeltas"])
    assert set(profile["samples"]) <= nodes.keys()
    assert sum(profile["timeDeltas"]) == profile["endTime"] == totals["cpu"] // 1000
    burn = [node for node in nodes.values() if node["callFrame"]["functionName"] == "burn"]
    assert all(node["callFrame"]["url"].endswith("program.py") and node["callFrame"]["lineNumber"] == 3 for node in burn)
    assert {tick["line"] for node in burn for tick in node["positionTicks"]} & {6, 7}


@pytest.mark.parametrize("metric", MEMORY)
def test_heapprofile(exports, totals, metric):
    profile = json.loads(exports.text("heapprofile", "--metric", metric))
    left, ids, total = [profile["head"]], set(), 0
    while left:
        node = left.pop()
        assert node["id"] not in ids
        ids.add(node["id"])
        total += node["selfSize"]
        left += node["children"]
    assert total == totals[metric] == sum(sample["size"] for sample in profile["samples"])
    assert {sample["nodeId"] for sample in profile["samples"]} <= ids
