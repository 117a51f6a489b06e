# SPDX-License-Identifier: Apache-2.0
"""Asyncio tasks and thread names read from outside, against the program's own account."""

import re

import pytest
from interpreters import interpreters
from probe import HERE, blocked_target, probe, walk

CASES = re.findall(r"^@case\nasync def (\w+)", (HERE / "task_target.py").read_text(), re.M)
SINCE = {"task_group": 11, "eager": 12, "anext_default": 10}
PYTHONS = interpreters()
RUNNING, SUSPENDED, READY, DONE = range(4)
COMPLETE, TRUNCATED, IS_RUNNING, NO_FRAMES, TORN = range(5)


def told(python, case):
    if python.minor < SINCE.get(case, 0):
        pytest.skip(f"{python.name} has no {case}")
    return blocked_target(python, case, "task_target.py")


def in_terms_of_the_target(task):
    return {key: value for key, value in task.items() if key not in ("outcome", "omitted")}


def by_address(tasks):
    assert len({task["task"] for task in tasks}) == len(tasks), "a task is listed twice"
    return {task["task"]: task for task in tasks}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_tasks_equal_the_truth(python, case):
    with told(python, case) as truth:
        seen = probe("task_probe", "tasks", truth)
    assert seen["found"]
    pending = by_address([task for task in seen["tasks"] if task["state"] != DONE])
    expected = by_address(truth["tasks"])
    assert set(pending) == set(expected) and (expected or truth["done"])
    for address, want in expected.items():
        got = pending[address]
        assert got["outcome"] == (IS_RUNNING if want["state"] == RUNNING else COMPLETE)
        assert in_terms_of_the_target(got) == want
    done = {str(task["task"]): task["name"] for task in seen["tasks"] if task["state"] == DONE}
    assert done.items() <= truth["done"].items()
    if python.minor < 14:  # from then on a finished task leaves its list at once
        assert done == truth["done"]
    assert seen["threads"] == truth["threads"]


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_deep_chains_keep_both_ends(python):
    with told(python, "deep") as truth:
        seen = probe("task_probe", "tasks", truth, room=100)
    (want,) = (task["frames"] for task in truth["tasks"] if len(task["frames"]) > 100)
    (got,) = (task for task in seen["tasks"] if task["outcome"] == TRUNCATED)
    assert got["omitted"] == len(want) - 100
    assert got["frames"] == want[:50] + want[-50:]


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_program_without_asyncio(python):
    with blocked_target(python, "plain", "task_free_target.py") as truth:
        seen = probe("task_probe", "tasks", truth)
    assert not seen["found"] and not seen["tasks"]


@pytest.mark.parametrize("case", ("running", "running_python_task"))
@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_running_stack_names_the_coroutine_of_its_task(python, case):
    with told(python, case) as truth:
        threads = walk(truth)
    (task,) = (task for task in truth["tasks"] if task["state"] == RUNNING)
    assert task["coroutine"] in [thread["coroutine"] for thread in threads]
    assert 0 in [thread["coroutine"] for thread in threads], "the observer runs no coroutine"


def is_possible(chain, calls):
    """Whether "inner:line ... outer:line" could be a chain of task_stress_target.py."""
    names = [part.rpartition(":")[0] for part in chain.split()]
    links = zip(names[1:], names)
    return (
        names[-1] in ("worker", "main")
        and (names[0] == "pause" or len(names) == 1)
        and all(inner in calls.get(outer, ()) for outer, inner in links)
    )


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.name)
def test_confirmed_chains_are_possible(python, long_run):
    with blocked_target(python, "stress", "task_stress_target.py") as truth:
        report = probe("task_probe", "stress", truth, seconds=30 if long_run else 2)
    assert report["confirmed"] > 20, report
    wrong = [chain for chain in report["chains"] if not is_possible(chain, truth["calls"])]
    assert not wrong, wrong[:10]
