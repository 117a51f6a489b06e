# SPDX-License-Identifier: Apache-2.0
"""CPU of threads and processes that work for a line counts for that line, as a part of its own."""

import json
import shutil
import subprocess

import pytest
import pythons
from judgement import Finding, wrong
from pyrometer_tool import TARGETS, expect_success, marks, profile
from report_json import ON_CPU

SCRIPT = TARGETS / "worker_pools.py"
ROUNDS = 400_000_000
VERSIONS = ((3, 8), (3, 12), (3, 13))


def chosen(long):
    newest = {python.version: python for python in pythons.found() if not python.name.endswith("t")}
    return [python for version, python in newest.items() if long or version in VERSIONS]


def pytest_generate_tests(metafunc):
    if "each" in metafunc.fixturenames:
        metafunc.parametrize("each", chosen(metafunc.config.getoption("--long")), ids=str)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("gcc") or pytest.skip("no gcc")
    path = tmp_path_factory.mktemp("pool") / "worker_pool.so"
    command = [compiler, "-O2", "-fopenmp", "-shared", "-fPIC", "-o", path, TARGETS / "worker_pool.c"]
    made = subprocess.run(command, stderr=subprocess.PIPE)
    if made.returncode != 0:
        pytest.skip(f"gcc cannot make an OpenMP library: {made.stderr[-200:]}")
    return path


def test_workers_count_for_the_line_that_waits(each, library):
    run = expect_success(profile([SCRIPT, library, ROUNDS], each.path, ["--cpu-only"]))
    truth = json.loads(run.process.stdout)
    merged, numbers = run.report.merged, marks(SCRIPT)
    cells = {mark: merged.lines(SCRIPT, numbers[mark]) for mark in truth}
    samples = sum(cell.samples(*ON_CPU) for cell in cells.values())
    every = sum(truth.values())
    # Of all that the program used meanwhile: what is charged to nobody is missing from its line.
    findings = [
        Finding(mark, truth[mark] / every, cells[mark].seconds(*ON_CPU) / every, samples, 4) for mark in truth
    ]
    assert not wrong(findings), "\n".join(map(str, findings))

    def workers(mark):
        lines = [line for line in entries(merged) if line["line"] in numbers[mark]]
        return sum(line["worker_seconds"]["scoped"] for line in lines) / cells[mark].seconds(*ON_CPU)

    # Half of the work of a team is its caller's own, unless the machine lets one thread wait for the other.
    assert 0.3 < workers("team") < 0.7
    assert workers("joined") > 0.95
    assert workers("processes") > 0.9
    assert workers("loop") == 0


def test_who_they_work_for_is_said(library):
    """Not only in the rows: threads name their line, stacks have the boundary."""
    python = chosen(False)[-1]
    run = expect_success(profile([SCRIPT, library, ROUNDS // 4], python.path, ["--cpu-only"]))
    numbers = marks(SCRIPT)
    merged = run.report.merged.data
    helped = [thread for thread in merged["threads"] if thread["worker_seconds"] > 0.05]
    assert {thread["works_for"]["line"] for thread in helped} >= numbers["team"] | numbers["joined"]
    total = sum(thread["worker_seconds"] for thread in merged["threads"])
    assert merged["worker_seconds"] == pytest.approx(total, abs=1e-6)
    names = {native["name"] for native in merged["native_functions"]}
    assert names >= {"<worker threads>", "<worker processes>"}


def entries(process):
    (file,) = [file for file in process.data["files"] if file["path"] == str(SCRIPT)]
    return file["lines"]
