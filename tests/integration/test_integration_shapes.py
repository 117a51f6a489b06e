# SPDX-License-Identifier: Apache-2.0
"""The shapes and formats of the report, of a real recording."""

import os
import re
import subprocess
import sys
import unicodedata

import pytest
from pyrometer_tool import TARGETS, expect_success, profile, pyrometer, tool

TWO_FILES = TARGETS / "two_files.py"
SHAPES = [
    [],
    ["--all"],
    ["--reduced"],
    ["--flat"],
    ["--flat", "--sort", "allocated"],
    ["--flat", "--all", "--lines", "5"],
    ["--tree"],
    ["--tree", "--all"],
    ["--tree", "--sort", "memory"],
    ["--function", "own"],
    ["--file", "helper", "--flat"],
]


@pytest.fixture(scope="module")
def capture(one_python, tmp_path_factory):
    """Of a program whose names and source are wide, combining and full of tabs."""
    folder = tmp_path_factory.mktemp("capture")
    script = folder / "größe名前.py"
    script.write_text(
        f"import json, sys; sys.path.append({str(TARGETS)!r}); from burning import rounds\n"
        "def größe名前(seconds):\n"
        "\tx = 0\n"
        "\tfor count in rounds(seconds, 'burn'):\n"
        "\t\tfor i in range(count): x = (x * 31 + i) & 0xFFFF  # | `<b>` 名前名前名前名前名前名前名前名前 e\u0301e\u0301\n"
        "def library(seconds):\n"
        "\tfor count in rounds(seconds, 'library', 10):\n"
        "\t\tfor _ in range(count): json.dumps({str(i): [i] for i in range(50)}, indent=1)\n"
        "def down(depth, seconds):\n"
        "\treturn down(depth - 1, seconds) if depth else größe名前(seconds)\n"
        "keep = [bytes(1000) for i in range(20000)]\n"
        "down(50, 0.3)\n"
        "library(0.3)\n"
    )
    path = folder / "x.pyro"
    expect_success(profile([script], one_python.path, capture=path))
    return path


def shown(*words, **environment):
    clean = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "FORCE_COLOR", "TERM")}
    done = pyrometer("report", *words, env={**clean, "LC_ALL": "C.UTF-8", "COLUMNS": "100", **environment})
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def width(line):
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line
    )


@pytest.mark.parametrize("columns", [80, 100, 120, 160, 200])
@pytest.mark.parametrize("options", SHAPES, ids=" ".join)
def test_no_line_is_too_wide(capture, options, columns):
    lines = shown(capture, *options, COLUMNS=str(columns)).splitlines()
    assert [line for line in lines if width(line) > columns] == []


@pytest.mark.parametrize("options", SHAPES, ids=" ".join)
def test_a_dumb_terminal_gets_plain_ascii(capture, options):
    screen, inside = os.openpty()
    clean = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    environment = {**clean, "TERM": "dumb", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    with subprocess.Popen([tool(), "report", capture, *options], stdout=inside, env=environment) as process:
        os.close(inside)
        text = b""
        while True:
            try:
                piece = os.read(screen, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            text += piece
    os.close(screen)
    assert process.returncode == 0 and len(text) > 500
    assert set(text) <= set(range(32, 127)) | set(b"\r\n")


def test_without_colour_there_are_no_escapes(capture):
    assert "\x1b" in shown(capture, "--tree", FORCE_COLOR="1")
    assert "\x1b" not in shown(capture, "--tree", FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b" not in shown(capture, "--tree")


def tree_rows(text):
    """(seconds, percent, samples, depth, name) of each row."""
    rows = []
    for line in text.split("Call tree", 1)[1].splitlines()[2:]:
        match = re.match(r" *([\d.]+) +([<\d.]+) +([\d,]+)  .{8,12}  ([│├└ ]*)(.*)", line)
        if not match:
            break
        seconds, percent, samples, branch, name = match.groups()
        rows.append((float(seconds), percent, int(samples.replace(",", "")), len(branch) // 2, name))
    return rows


def test_the_tree_leads_to_the_hot_function(capture):
    rows = tree_rows(shown(capture, "--tree", "--sort", "cpu", COLUMNS="200"))
    names = [row[4].split("  ")[0] for row in rows]
    assert names[0] == "MainThread" and rows[0][1] == "100"
    assert names[1] == "<module>" and rows[1][3] == 1
    down = names.index("down")
    assert "recursive" in rows[down][4]  # fifty calls in one row
    assert names[down + 1] == "größe名前" and rows[down + 1][3] == rows[down][3] + 1
    assert 0 < rows[down + 1][0] <= rows[down][0]
    assert "dumps" in names


def test_the_tree_of_all_code_has_no_hidden_frames(capture):
    assert "hidden: json" in shown(capture, "--tree", COLUMNS="160")
    everything = shown(capture, "--tree", "--all", COLUMNS="160")
    assert "hidden" not in everything and "json/encoder.py" in everything


def test_the_tree_of_memory(capture):
    text = shown(capture, "--tree", "--sort", "memory", "--lines", "3")
    assert "live MB" in text and "<module>" in text


def test_the_ranking_has_the_hottest_line_first(capture):
    text = shown(capture, "--flat", COLUMNS="160")
    first = text.split("Lines  by", 1)[1].splitlines()[2]
    assert ":5 " in first or ":8 " in first
    assert "total" in text


def test_restricted_lists_keep_the_totals(capture):
    whole, part = shown(capture, "--flat"), shown(capture, "--flat", "--function", "library")
    total = [line for line in whole.splitlines() if line.endswith("  total")][0]
    assert total in part.splitlines()
    assert "json.dumps" in part and "0xFFFF" not in part
    assert "listed: functions that match library; totals and percentages are of the whole program" in part


def test_markdown(capture):
    text = shown(capture, "--format", "markdown")
    assert text.startswith("### pyrometer: `") and "\n**" in text
    assert "| time s | % |" in text
    assert "&#124; &#96;&#60;b&#62;&#96; 名前" in text
    assert text.count("<details>") == text.count("</details>") >= 3
    assert "└ " in text
    assert text == pyrometer("export", capture, "-f", "markdown").stdout.decode()


def test_summary(capture):
    text = shown(capture, "--format", "summary")
    assert len(text.encode()) <= 4096
    for part in ("units: ", "verdict:", "hottest lines", "called from: <module>:12 > down:10", "losses: ", "look next:"):
        assert part in text
    assert text == shown(capture, "--format", "summary", COLUMNS="200", TERM="dumb")


@pytest.mark.parametrize("form", ["markdown", "summary", "stacks"])
def test_run_takes_formats_too(one_python, tmp_path, form):
    capture = tmp_path / "x.pyro"
    words = ["--format", form, "-o", capture, "--python", one_python.path, TWO_FILES, 0.1]
    done = pyrometer("run", *words)
    assert done.stdout == b"done\n"
    assert done.stderr == pyrometer("report", capture, "--format", form).stdout


@pytest.mark.parametrize(
    "options, mention",
    [
        (["--tree", "--flat"], "--flat"),
        (["--tree", "--format", "summary"], "summary"),
        (["--sort", "memory"], "no memory"),
        (["--sort", "warmth"], "allocated"),
        (["--lines", "-1"], "--lines"),
    ],
)
def test_contradictions_are_one_line(one_python, tmp_path, options, mention):
    capture = tmp_path / "x.pyro"
    expect_success(profile([TWO_FILES, 0.1], one_python.path, ["--cpu-only"], capture=capture))
    done = pyrometer("report", capture, *options)
    text = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert text.startswith("pyrometer: ") and len(text.splitlines()) == 1 and mention in text


def test_help_says_what_sort_takes():
    text = pyrometer("help", "report").stdout.decode()
    for name in ("time", "wall", "cpu", "python", "gil_wait", "wait", "gc", "await", "live_at_peak", "allocated", "copied"):
        assert f" {name}: " in text


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said(capture):
    with open("/dev/full", "w") as full:
        done = subprocess.run([tool(), "report", str(capture)], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2 and b"cannot write the report" in done.stderr


def test_a_reader_that_leaves_early_is_no_error(capture):
    reader = subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE)
    reader.wait()
    done = subprocess.run([tool(), "report", str(capture)], stdout=reader.stdin, stderr=subprocess.PIPE)
    reader.stdin.close()
    assert done.stderr == b""
