# SPDX-License-Identifier: Apache-2.0
"""The frame walk from outside against the interpreter's own account of its stacks."""

import dataclasses
import re
from pathlib import Path

import pytest
from interpreters import interpreters
from package_environment import candidates, environment
from probe import COMPLETE, NO_FRAMES, TRUNCATED, blocked_target, walk

CASES = re.findall(r"^@case\ndef (\w+)", (Path(__file__).parent / "stack_target.py").read_text(), re.M)
PYTHONS = interpreters()
OPTIONAL = {"greenlets": "greenlet", "subinterpreter": "interpreters"}


def skip_unless_available(python, case, error):
    if case in OPTIONAL and OPTIONAL[case] in str(error) and "No module" in str(error):
        pytest.skip(f"{python.name} has no {OPTIONAL[case]}")


def seen(frame, like):
    """A walked frame in the terms of the target's own description."""
    line, end_line, column, end_column = frame["position"]
    columns = [line or None, end_line or None]
    columns += [None if c < 0 else c for c in (column, end_column)]
    return {
        "name": frame["name"],
        "filename": frame["filename"],
        "line": line or None,
        "lasti": frame["lasti"],
        "position": columns if like["position"] is not None else None,
        "code": frame["code"],
    }


def state_of(threads, identity, expected):
    """The thread state for a stack; a thread may have one more in a subinterpreter."""
    states = [thread for thread in threads if str(thread["pthread"]) == identity]
    codes = [frame["code"] for frame in expected]
    return next((t for t in states if [f["code"] for f in t["frames"]] == codes), states[0])


def assert_same_stack(python, expected, thread):
    assert thread["outcome"] == (COMPLETE if expected else NO_FRAMES)
    assert len(thread["frames"]) == len(expected)
    for want, frame in zip(expected, thread["frames"]):
        if python.minor < 10 and want["line"] is None:
            want = {**want, "line": frame["position"][0]}
        assert seen(frame, want) == want


def assert_plausible_entries(python, thread):
    frames = thread["frames"]
    if python.minor <= 10:
        assert all(frame["entry"] for frame in frames)
        return
    anchors = [frame["anchor"] for frame in frames if frame["entry"]]
    assert anchors == sorted(anchors) and len(set(anchors)) == len(anchors) and all(anchors)
    assert all(not frame["anchor"] for frame in frames if not frame["entry"])
    assert not frames or frames[-1]["entry"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_stacks_equal_the_truth(python, case, long_run):
    if case == "greenlets" and python.name in [one.name for one in candidates(long_run)]:
        python = dataclasses.replace(python, command=(environment(python),))
    try:
        with blocked_target(python, case) as truth:
            threads = walk(truth)
    except RuntimeError as error:
        skip_unless_available(python, case, error)
        raise
    assert truth["stacks"]
    for identity, expected in truth["stacks"].items():
        thread = state_of(threads, identity, expected)
        assert_same_stack(python, expected, thread)
        assert_plausible_entries(python, thread)
        if python.minor >= 11 and identity in truth["native"]:
            assert thread["native_tid"] == truth["native"][identity]
        assert thread["frames"][0]["call"], "the leaf is blocked in a call"
        assert (thread["gil"] is None) == python.free_threaded
        assert not thread["holds_gil"]


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_deep_stacks_keep_leaf_and_root(python):
    with blocked_target(python, "recursion_900") as truth:
        threads = walk(truth, room=200)
    (expected,) = (stack for stack in truth["stacks"].values() if len(stack) > 900)
    (thread,) = (t for t in threads if len(t["frames"]) == 200)
    assert (thread["outcome"], thread["omitted"]) == (TRUNCATED, len(expected) - 200)
    kept = expected[:136] + expected[-64:]
    assert [f["lasti"] for f in thread["frames"]] == [f["lasti"] for f in kept]
    assert [f["name"] for f in thread["frames"]] == [f["name"] for f in kept]


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_subinterpreter_is_listed(python):
    with blocked_target(python, "subinterpreter") as truth:
        threads = walk(truth)
    names = [[frame["name"] for frame in thread["frames"]] for thread in threads]
    assert ["inside", "<module>"] in names
