# SPDX-License-Identifier: Apache-2.0
"""The other builds of ./test --long: what each runs, when it is skipped, what counts as failed.

The scripts run for real in a small tree; compilers, cmake, ctest and clang-tidy are stand-ins on PATH.
"""

import io
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ("tools/test_build", "tools/check_tidy", "tools/junit_counts.py", "tools/stage_runner.py", "fuzz/run")
sys.path.append(str(ROOT / "tools"))

import junit_counts  # noqa: E402
import run_tests  # noqa: E402
import stage_runner  # noqa: E402


class Tree:
    """A checkout with stand-ins for the tools."""

    def __init__(self, folder):
        self.root, self.bin, self.junit = folder / "tree", folder / "bin", folder / "junit.xml"
        self.bin.mkdir()
        for name in SCRIPTS:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        for name in ("sh", "env", "dirname", "mkdir", "cat", "chmod"):
            (self.bin / name).symlink_to(shutil.which(name))
        self.add("cmake", 'echo "cmake $*" >>calls')

    def add(self, command, body):
        (self.bin / command).write_text(f"#!/bin/sh\n{body}\n")
        (self.bin / command).chmod(0o755)

    def run(self, script, *arguments):
        start = [] if script == "tools/test_build" else [sys.executable]
        return subprocess.run(
            [*start, self.root / script, *arguments],
            cwd=self.root,
            env={"PATH": str(self.bin)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def calls(self):
        path = self.root / "calls"
        return [" ".join(line.split()[:3]) for line in path.read_text().splitlines()] if path.exists() else []

    def counts(self):
        return str(junit_counts.count_junit(self.junit))


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


@pytest.mark.parametrize("script", ["tools/test_build", "tools/check_tidy", "fuzz/run"])
def test_without_its_compiler_each_says_so_and_does_nothing(tree, script):
    done = tree.run(script, *(("clang", "clang++-19", tree.junit) if script == "tools/test_build" else ()))
    compiler = "clang-tidy-19" if script == "tools/check_tidy" else "clang++-19"
    assert (done.returncode, done.stdout) == (77, f"there is no {compiler}\n")
    assert tree.calls() == []


def test_a_compiler_without_the_fuzzer_says_so(tree):
    tree.add("clang++-19", "exit 1")
    done = tree.run("fuzz/run")
    assert (done.returncode, done.stdout, tree.calls()) == (77, "there is no libFuzzer of clang++-19\n", [])


def test_clang_tidy_without_the_compiler_says_so(tree):
    tree.add("clang-tidy-19", "")
    done = tree.run("tools/check_tidy")
    assert (done.returncode, done.stdout, tree.calls()) == (77, "there is no clang++-19\n", [])


def test_a_build_is_configured_built_and_tested(tree):
    tree.add("g++", "")
    tree.add("ctest", 'echo "ctest $*" >>calls; exit 8')
    assert tree.run("tools/test_build", "asan", "g++", tree.junit).returncode == 8
    assert tree.calls() == ["cmake --preset asan", "cmake --build --preset", "ctest --preset asan"]


@pytest.mark.parametrize("preset, works, fixed", [("tsan", True, True), ("tsan", False, False), ("asan", True, False)])
def test_thread_sanitizer_has_addresses_that_stay_where_they_can(tree, preset, works, fixed):
    tree.add("g++", "")
    tree.add("ctest", 'echo "ctest $*" >>calls')
    tree.add("setarch", f'[ "$1" = -R ] && {"shift" if works else "exit 1"}; [ "$1" = true ] || {{ echo fixed addresses >>calls; exec "$@"; }}')
    assert tree.run("tools/test_build", preset, "g++", tree.junit).returncode == 0
    assert tree.calls()[2:] == ["fixed addresses"] * fixed + [f"ctest --preset {preset}"]


def test_a_build_that_fails_is_not_tested(tree):
    tree.add("g++", "")
    tree.add("cmake", 'echo "cmake $*" >>calls; [ "$1" != --build ]')
    assert tree.run("tools/test_build", "asan", "g++", tree.junit).returncode == 1
    assert tree.calls() == ["cmake --preset asan", "cmake --build --preset"]


@pytest.fixture
def tidied(tree):
    """Makes a tree of sources and what clang-tidy says of each unit of compilation."""
    build = tree.root / "build" / "tidy"
    build.mkdir(parents=True)

    def make(**said):
        (tree.root / "src" / "base").mkdir(parents=True)
        source, unit = tree.root / "src" / "base" / "a.cc", build / "unit.cxx"
        source.write_text("int a;\n")
        unit.write_text(f'#include "{tree.root}/src/os/b.cc"\n#include "{tree.root}/src/os/c.cc"\n')
        (build / "compile_commands.json").write_text(json.dumps([{"file": str(file)} for file in (source, unit)]))
        for name, text in said.items():
            (tree.root / name).write_text(text.replace("ROOT", str(tree.root)))
        names = 'case "$*" in *unit.cxx) name=unit ;; *) name=alone ;; esac'
        tree.add("clang++-19", "")
        tree.add("clang-tidy-19", f'{names}\necho "$name" >>calls\n[ ! -e "$name" ] || {{ cat "$name"; exit 1; }}')
        return tree

    return make


HEADER = "ROOT/src/base/./b.h:7:1: error: planted [bugprone-planted,-warnings-as-errors]\n"


def test_a_tidy_tree_passes(tidied):
    tree = tidied()
    done = tree.run("tools/check_tidy", "--junit", tree.junit)
    assert (done.returncode, done.stdout, tree.counts()) == (0, "", "2 passed, 0 failed, 0 skipped")


def test_what_clang_tidy_finds_is_said_once_and_fails(tidied):
    tree = tidied(alone=HEADER, unit=HEADER)
    done = tree.run("tools/check_tidy", "--junit", tree.junit)
    assert done.stdout == "src/base/b.h:7: planted [bugprone-planted,-warnings-as-errors]\n"
    assert (done.returncode, tree.counts()) == (1, "0 passed, 2 failed, 0 skipped")


def test_a_clang_tidy_that_does_not_work_has_failed(tidied):
    tree = tidied(unit="/usr/include/x.h:1:1: error: not ours\n")
    done = tree.run("tools/check_tidy", "--junit", tree.junit)
    assert "clang-tidy-19 failed: /usr/include/x.h:1:1: error: not ours" in done.stdout
    assert (done.returncode, tree.counts()) == (1, "1 passed, 1 failed, 0 skipped")


def test_of_some_folders_only_their_units_are_read(tidied):
    tree = tidied()
    assert tree.run("tools/check_tidy", "src/os").returncode == 0
    assert tree.calls() == ["cmake --preset tidy", "unit"]


@pytest.fixture
def fuzzed(tree):
    """Two targets, the second of which finds something."""
    tree.add("clang++-19", "")
    tree.add(
        "cmake",
        """
        echo "cmake $*" >>calls
        mkdir -p build/fuzz/fuzz
        for code in 0 77; do
          target=build/fuzz/fuzz/fuzz_target_$([ $code = 0 ] && echo sound || echo unsound)
          printf '#!/bin/sh\\necho stat::number_of_executed_units: 12\\nexit %s\\n' $code >$target
          chmod +x $target
        done""",
    )
    return tree


def test_each_fuzz_target_runs_and_counts(fuzzed):
    done = fuzzed.run("fuzz/run", "--seconds", "0", "--junit", fuzzed.junit)
    assert fuzzed.calls() == ["cmake --preset fuzz", "cmake --build " + str(fuzzed.root / "build/fuzz")]
    rows = [line.split()[:3] for line in done.stdout.splitlines()]
    assert rows == [["target_sound", "12", "inputs"], ["target_unsound", "12", "inputs"]]
    assert (done.returncode, fuzzed.counts()) == (1, "1 passed, 1 failed, 0 skipped")


def test_only_long_runs_other_builds_and_each_by_itself():
    assert not {stage.name for stage in run_tests.stages(None, False)} & set(run_tests.LONG_STAGES)
    others = run_tests.stages(None, True)[-len(run_tests.LONG_STAGES) :]
    assert tuple(stage.name for stage in others) == run_tests.LONG_STAGES
    assert {stage.slots for stage in others} == {stage_runner.SLOTS}


@pytest.mark.parametrize("name", run_tests.LONG_STAGES)
def test_each_of_them_runs_alone_by_its_name(name):
    assert [stage.name for stage in run_tests.stages(name, False)] == [name]


def test_the_seconds_of_a_fuzz_target_can_be_chosen():
    (stage,) = run_tests.stages("fuzz", False, 7)
    assert stage.command[stage.command.index("--seconds") + 1] == "7"


@pytest.mark.parametrize("name", run_tests.LONG_STAGES)
def test_a_stage_that_leaves_no_counts_has_failed(name, tmp_path, monkeypatch):
    monkeypatch.setattr(run_tests, "RESULTS", tmp_path)
    (stage,) = run_tests.stages(name, False)
    assert str(stage.count(1)) == "0 passed, 1 failed, 0 skipped"
    assert str(stage.count(77)) == "0 passed, 0 failed, 1 skipped"


def test_at_the_end_it_is_said_what_ran_and_why_others_did_not(tmp_path):
    def stage(name, command, counts):
        return stage_runner.Stage(name, ["sh", "-c", command], lambda code: counts, tmp_path / name)

    ran = stage("ran", "true", stage_runner.Counts(passed=3))
    not_there = stage("not_there", "echo there is no planted; exit 77", stage_runner.Counts(skipped=1))
    console = stage_runner.Console(io.StringIO())
    stage_runner.run([ran, not_there], tmp_path, 600, console)
    out = io.StringIO()
    run_tests.say_what_ran([ran, not_there], stage_runner.Console(out))
    assert [line.split(None, 1) for line in out.getvalue().splitlines()[1:]] == [
        ["ran", "ran: 3 passed, 0 failed, 0 skipped"],
        ["not_there", "skipped: there is no planted"],
    ]
