# SPDX-License-Identifier: Apache-2.0
"""Call graphs and tables: callgrind, pstats, dot, csv."""

import csv
import io
import json
import pstats
import re
import subprocess

import consumers
import pytest
from exported import MEMORY, TIMES


def run(*words, **options):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_callgrind_sums(exports, totals):
    text = run(consumers.command("callgrind_annotate"), "--threshold=100", exports.path("callgrind"))
    events = re.search(r"^Events shown: +(.*)$", text, re.M).group(1).split()
    assert events == ["samples", *TIMES, *MEMORY]
    row = re.search(r"^(.*)PROGRAM TOTALS", text, re.M).group(1)
    values = [int(value.replace(",", "")) for value in re.findall(r"([\d,]+)(?: +\([^)]*\))?", row)]
    # Events of which there is nothing are a dot, or not.
    assert [value for value in values if value] == [totals[name] for name in events if totals[name]]


def test_callgrind_self_costs_add_up(exports, totals):
    """By the lines themselves: costs after `calls=` are those of callees."""
    events, sums, inclusive = [], None, False
    for line in exports.text("callgrind").splitlines():
        if line.startswith("events: "):
            events = line.split()[1:]
            sums = dict.fromkeys(events, 0)
        elif line.startswith("calls="):
            inclusive = True
        elif re.match(r"\d+ ", line):
            for name, value in zip(events, line.split()[1:]):
                sums[name] += 0 if inclusive else int(value)
            inclusive = False
    assert sums == {name: totals[name] for name in events}


def test_callgrind_annotates_lines(exports):
    folder = exports.capture.parent
    text = run(consumers.command("callgrind_annotate"), "--show=cpu", "--auto=yes", exports.path("callgrind"), cwd=folder)
    assert re.search(r"^ *[\d,]+ \([^)]*\) +sum\(i \* i for i in range\(1000\)\)", text.replace("        ", " "), re.M), text[-3000:]


@pytest.mark.parametrize("metric", ["cpu", "wall"])
def test_pstats(exports, totals, metric):
    stats = pstats.Stats(str(exports.path("pstats", "--metric", metric)), stream=io.StringIO())
    assert stats.total_tt == pytest.approx(totals[metric] / 1e9, rel=1e-9)
    deep = next(value for key, value in stats.stats.items() if key[2] == "deep")
    assert deep[3] <= stats.total_tt  # recursion counts once
    assert any(key[2] == "deep" for key in deep[4])
    stats.sort_stats("cumulative").print_stats(10)
    stats.print_callers(10)


def test_pstats_for_others(exports):
    python = consumers.python()
    assert "burn" in run(python, "-m", "gprof2dot", "-f", "pstats", exports.path("pstats"))
    # What its server does with a file.
    show = "import sys, json, pstats; from snakeviz.stats import json_stats, table_rows; s = pstats.Stats(sys.argv[1]);"
    show += "print(json.dumps([json_stats(s), table_rows(s)]))"
    tree, rows = json.loads(run(python, "-c", show, exports.path("pstats")))
    assert any("burn" in name for name in tree) and rows


def test_dot(exports):
    plain = run(consumers.command("dot"), "-Tplain", exports.path("dot"))
    nodes = re.findall(r"^node (f\d+) ", plain, re.M)
    edges = re.findall(r"^edge (f\d+) (f\d+) ", plain, re.M)
    assert len(nodes) == len(set(nodes)) > 3
    assert edges and {name for edge in edges for name in edge} <= set(nodes)
    assert re.search(r'label="burn\\n[^"]*program\.py:4', exports.text("dot"))


@pytest.mark.parametrize("options", [(), ("--functions",)])
def test_csv(exports, totals, options):
    rows = list(csv.DictReader(io.StringIO(exports.text("csv", *options))))
    for metric in ["samples", *TIMES, *MEMORY]:
        unit = "" if metric == "samples" else "_ns" if metric in TIMES else "_bytes"
        assert sum(int(row[f"self_{metric}{unit}"]) for row in rows) == totals[metric]
        assert all(int(row[f"self_{metric}{unit}"]) <= int(row[f"total_{metric}{unit}"]) for row in rows)
    assert any(row["function"] == "burn" for row in rows)
