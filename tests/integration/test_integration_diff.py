# SPDX-License-Identifier: Apache-2.0
"""pyrometer diff, on real recordings: commands, formats and exit codes."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from pyrometer_tool import expect_success, profile, pyrometer

PROGRAM = """\
import time


def work(seconds):
    end = time.thread_time() + seconds
    x = 0
    while time.thread_time() < end:
        for i in range(2000):
            x = (x * 31 + i) & 0xFFFF


def other(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(2000))


def third(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sorted(range(2000), key=lambda value: -value)


keep = [bytes(1000) for i in range(20000)]
work(WORK)
other(0.4)
third(0.4)
"""
FORMATS = ("text", "markdown", "json", "sarif", "github", "html")


def record(folder, python, work, text=PROGRAM, options=("-r", "1000", "--mem-interval", "65536"), launcher=()):
    folder.mkdir()
    (folder / "app.py").write_text(text.replace("WORK", str(work)))
    capture = folder / "run.pyro"
    expect_success(profile(["app.py"], python, options=options, launcher=launcher, capture=capture, cwd=folder))
    return capture


@pytest.fixture(scope="module")
def captures(one_python, tmp_path_factory):
    """The same program twice, and with far more work in a function that has moved down."""
    folder = tmp_path_factory.mktemp("captures")
    moved = PROGRAM.replace("def work", "# Moves what follows.\n\n\ndef work")
    return {
        "base": record(folder / "base", one_python.path, 0.4),
        "same": record(folder / "same", one_python.path, 0.4),
        "slow": record(folder / "slow", one_python.path, 2.4, moved),
    }


def diff(*words):
    return pyrometer("diff", "--no-config", *words)


def diff_json(*words):
    done = diff("-f", "json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def row_of(rows, function):
    return next(row for row in rows if (row["new_place"] or row["base_place"] or {}).get("function") == function)


def test_names_what_has_grown_and_where_it_is_now(captures):
    cpu = diff_json(captures["base"], captures["slow"])["metrics"][0]
    assert cpu["name"] == "cpu"
    work = row_of(cpu["functions"], "work")
    assert work["change"]["significant"] and work["change"]["difference"] > 1
    assert (work["base_place"]["line"], work["new_place"]["line"]) == (4, 7)
    assert work["new_place"]["path"] == "app.py"
    assert not row_of(cpu["functions"], "other")["change"]["significant"]
    line = cpu["lines"][0]
    assert line["change"]["significant"]
    assert line["new_place"]["line"] - line["base_place"]["line"] == 3
    assert cpu["paths"][0]["path"] == ["<module>", "work"]


def test_text_fits_and_says_what(captures, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = diff(captures["base"], captures["slow"])
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert re.search(r"work \(app\.py:7\) has", text)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_to_a_file(captures, tmp_path, format):
    out = tmp_path / "out"
    done = diff("-f", format, "-o", out, captures["base"], captures["slow"])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert out.stat().st_size > 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_sarif_points_into_the_new_source(captures):
    done = diff("-f", "sarif", captures["base"], captures["slow"])
    run = json.loads(done.stdout)["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    results = [result for result in run["results"] if result["ruleId"] == "more-cpu"]
    assert results and {result["ruleId"] for result in run["results"]} <= rules
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "app.py"
    assert place["region"]["startLine"] == 7


def test_github_annotations(captures):
    done = diff("-f", "github", captures["base"], captures["slow"], "--fail-if", "function:work cpu>5%")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 1
    assert any(line.startswith("::error file=app.py,line=7,title=") for line in lines)
    assert any(line.startswith("::warning file=app.py,line=7,title=") for line in lines)


@pytest.mark.parametrize(
    "limit", ["function:work cpu>5%", "function:work cpu>200ms", "line:app.py:12 cpu>5%", "python:total>5%"]
)
def test_a_limit_that_is_exceeded_is_exit_code_1(captures, limit):
    done = diff(captures["base"], captures["slow"], "--fail-if", "memory:peak>500MB", "--fail-if", limit)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"pyrometer: limit '{limit}' is exceeded: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("limit", ["cpu:total>60%", "memory:peak>10MB", "function:work cpu>60%", "line:app.py:9 cpu>60%"])
def test_the_same_program_is_within_its_limits(captures, limit):
    done = diff(captures["base"], captures["same"], "--fail-if", limit)
    assert (done.returncode, done.stderr) == (0, b"")


def test_folders_of_runs(captures, tmp_path):
    for side, names in (("a", ("base", "same")), ("b", ("same", "base"))):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / f"{name}.pyro").symlink_to(captures[name])
        (tmp_path / side / "notes.txt").write_text("not a recording")
    result = diff_json(tmp_path / "a", tmp_path / "b")
    assert (result["base"]["runs"], result["new"]["runs"]) == (2, 2)
    rows = [row for metric in result["metrics"] for row in metric["functions"]]
    assert rows and not any(row["change"]["significant"] for row in rows)


def test_runs_on_one_cpu_at_the_same_time_are_pairs(captures, one_python, tmp_path):
    cpu = str(min(os.sched_getaffinity(0)))
    with ThreadPoolExecutor() as threads:
        sides = [
            threads.submit(record, tmp_path / name, one_python.path, 0.4, launcher=("taskset", "-c", cpu))
            for name in ("base", "new")
        ]
    result = diff_json(*(side.result() for side in sides))
    assert (result["paired"], result["speed"]) == (True, None)
    text = diff(*(side.result() for side in sides)).stdout.decode()
    assert "recorded side by side" in text
    assert not diff_json(captures["base"], captures["same"])["paired"]


def test_memory_of_one_side_only_is_said(captures, one_python, tmp_path):
    bare = record(tmp_path / "bare", one_python.path, 0.2, options=("--cpu-only",))
    result = diff_json(captures["base"], bare)
    assert [metric["name"] for metric in result["metrics"]] == ["cpu", "wait"]
    assert "memory was recorded by the base only, and is not compared" in result["notes"]


def test_metrics_are_chosen(captures):
    result = diff_json(captures["base"], captures["same"], "--metric", "python", "--metric", "allocated")
    assert [metric["name"] for metric in result["metrics"]] == ["python", "allocated"]
    assert diff_json(captures["base"], captures["same"], "--absolute")["speed"] is None


@pytest.mark.parametrize(
    "words, message",
    [
        (("--fail-if", "cpu>5%"), b"pyrometer: --fail-if 'cpu>5%'"),
        (("--fail-if", "heat:total>5%"), b"there is no metric 'heat'"),
        (("--format", "pdf"), b"pyrometer: diff: --format"),
        (("-o", "/nowhere/out"), b"pyrometer: cannot write /nowhere/out"),
    ],
)
def test_bad_words_are_exit_code_2(captures, words, message):
    done = diff(captures["base"], captures["same"], *words)
    assert done.returncode == 2 and done.stdout == b""
    assert message in done.stderr and done.stderr.count(b"\n") == 1


def test_what_is_no_recording_is_exit_code_2(captures, tmp_path):
    (tmp_path / "text.pyro").write_text("no recording")
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "text.pyro", tmp_path / "empty", tmp_path / "missing.pyro"):
        done = diff(captures["base"], path)
        assert done.returncode == 2 and done.stdout == b""
        assert str(path).encode() in done.stderr and done.stderr.count(b"\n") == 1
