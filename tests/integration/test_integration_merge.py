# SPDX-License-Identifier: Apache-2.0
"""`merge`, and what all commands do with profiles of other tools."""

import gzip
import json

import pytest
from pyrometer_tool import TARGETS, expect_success, profile, pyrometer, read_report

STACKS = b"main (app.py:3);work (app.py:7) 12\nmain (app.py:3);idle (app.py:9) 4\n"


@pytest.fixture(scope="module")
def captures(one_python, tmp_path_factory):
    """Two captures of one program."""
    folder = tmp_path_factory.mktemp("captures")
    paths = [folder / f"{name}.pyro" for name in ("one", "two")]
    for path in paths:
        expect_success(profile([TARGETS / "two_files.py", 0.2], one_python.path, capture=path))
    return paths


def report_of(path, tmp_path, *options):
    target = tmp_path / "report.json"
    done = pyrometer("report", path, "--json", target, *options)
    assert done.returncode == 0, done.stderr
    return read_report(target).data


def cpu_ns(data):
    totals = data["merged"]["totals"]
    return sum(round(totals[kind]["seconds"] * 1e9) for kind in ("python", "native", "kernel") if kind in totals)


def fails(*words):
    done = pyrometer(*words)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1
    return done.stderr.decode()


def test_merged_runs_add_up(captures, tmp_path):
    merged = tmp_path / "merged.pyro"
    assert pyrometer("merge", *captures, "-o", merged).returncode == 0
    parts, whole = [report_of(path, tmp_path) for path in captures], report_of(merged, tmp_path)
    assert len(whole["processes"]) == sum(len(part["processes"]) for part in parts)
    assert cpu_ns(whole) == sum(map(cpu_ns, parts))
    elapsed = [part["merged"]["elapsed_seconds"] for part in parts]
    assert max(elapsed) <= whole["merged"]["elapsed_seconds"] < sum(elapsed)
    assert whole["load"]["orderly_end"]


def test_runs_of_one_job_keep_their_times(captures, tmp_path):
    merged = tmp_path / "merged.pyro"
    assert pyrometer("merge", "--align", "clock", *captures, "-o", merged).returncode == 0
    whole = report_of(merged, tmp_path)
    starts = [report_of(path, tmp_path)["run"]["start_unix_seconds"] for path in captures]
    later = max(process["start_seconds"] for process in whole["processes"])
    assert later >= abs(starts[1] - starts[0])


def test_one_profile_of_another_tool_becomes_a_capture(tmp_path):
    stacks, capture = tmp_path / "stacks.txt", tmp_path / "x.pyro"
    stacks.write_bytes(STACKS)
    assert pyrometer("merge", stacks, "-o", capture).returncode == 0
    whole = report_of(capture, tmp_path)
    assert cpu_ns(whole) == 160_000_000
    assert [line["line"] for file in whole["merged"]["files"] for line in file["lines"] if "python" in line["self"]] == [7, 9]
    assert any((fact["id"], fact["text"]) == ("imported_from", "collapsed") for fact in whole["facts"])


def test_merge_overwrites_no_capture(captures, tmp_path):
    before = captures[0].read_bytes()
    assert "left as it is" in fails("merge", captures[1], "-o", captures[0])
    assert captures[0].read_bytes() == before


def test_merge_that_fails_leaves_nothing(captures, tmp_path):
    out = tmp_path / "merged.pyro"
    assert "no such file" in fails("merge", captures[0], tmp_path / "missing", "-o", out)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("packed", [False, True])
def test_every_command_reads_profiles_of_other_tools(packed, tmp_path):
    stacks = tmp_path / "stacks"
    stacks.write_bytes(gzip.compress(STACKS) if packed else STACKS)
    done = pyrometer("report", stacks)
    assert done.returncode == 0
    assert b"imported from collapsed" in done.stdout and b"each is taken for 10 ms" in done.stdout
    done = pyrometer("export", stacks, "-f", "collapsed", "-o", "-")
    assert b"main (app.py:3);work (app.py:7) 120000" in done.stdout
    done = pyrometer("export", stacks, "-f", "html", "-o", tmp_path / "x.html")
    assert done.returncode == 0 and (tmp_path / "x.html").stat().st_size > 100_000


def test_counts_are_what_the_user_says(tmp_path):
    stacks = tmp_path / "stacks.txt"
    stacks.write_bytes(STACKS)
    assert cpu_ns(report_of(stacks, tmp_path, "--count-is", "1us")) == 16_000
    memory = report_of(stacks, tmp_path, "--count-is", "bytes")["merged"]["memory"]
    assert sum(kind["bytes"] for kind in memory["totals"]["live_at_peak"].values()) == 16
    assert "give a time" in fails("report", stacks, "--count-is", "1 fortnight")


def test_what_cannot_be_read_is_said_in_one_line(tmp_path):
    other = tmp_path / "other"
    other.write_bytes(json.dumps({"neither": "this", "nor": "that"}).encode())
    for words in (["report", other], ["view", other], ["export", other, "-f", "json"], ["merge", other, "-o", tmp_path / "x"]):
        assert "--from" in fails(*words)
    other.write_bytes(b"")
    assert "empty" in fails("report", other)
    other.write_bytes(gzip.compress(STACKS)[:20])
    assert "pyrometer: " in fails("report", "--from", "collapsed", other)
