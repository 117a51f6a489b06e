# SPDX-License-Identifier: Apache-2.0
"""A metric that only the file knows is shown, exported, merged and compared as any other, and becomes no time."""

import csv
import io
import json

import pytest
from page_data import PageData
from pyrometer_tool import pyrometer

# Two events of valgrind: instructions, and misses of the first cache.
FILE = """# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 7
cmd: /bin/t
events: Ir L1m
fl=app.py
fn=main
5 10 2
cfn=work
calls=1 1
5 90 7
fn=work
2 90 7
"""
FORMATS_WITH_ALL = ["pprof", "speedscope", "callgrind", "otlp", "csv"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("declared")
    (folder / "cg.out").write_text(FILE)
    run(folder, "merge", "cg.out", "-o", "one.pyro")
    run(folder, "merge", "cg.out", "cg.out", "-o", "two.pyro")
    return folder


def run(folder, *words):
    done = pyrometer(*words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def rows(text):
    return {words[2]: int(words[0]) for words in map(str.split, text.splitlines()) if len(words) > 2 and words[2].startswith("app.py:")}


@pytest.mark.parametrize("file, times", [("cg.out", 1), ("one.pyro", 1), ("two.pyro", 2)])
def test_console(folder, file, times):
    assert rows(run(folder, "report", file)) == {"app.py:2": 90 * times, "app.py:5": 10 * times}
    assert rows(run(folder, "report", file, "--flat", "--sort", "L1m")) == {"app.py:2": 7 * times, "app.py:5": 2 * times}
    tree = run(folder, "report", file, "--tree", "--sort", "L1m")
    assert "by L1m" in tree and "work" in tree
    assert "Most Ir: 90 % at work() app.py:2" in run(folder, "report", file)
    for format_ in ("markdown", "summary"):
        assert "Most Ir: 90 %" in run(folder, "report", file, "--format", format_)


def test_columns_beside_time(folder, exports):
    run(folder, "merge", exports.capture, "cg.out", "-o", "both.pyro")
    wide = pyrometer("report", "both.pyro", "--flat", cwd=folder, env={"COLUMNS": "200"}).stdout.decode()
    heads = next(line for line in wide.splitlines() if line.endswith("code"))
    assert "Ir" in heads.split() and "L1m" in heads.split() and "CPU" in heads.split()


def test_json(folder):
    run(folder, "report", "two.pyro", "--json", "two.json")
    report = json.loads((folder / "two.json").read_text())
    assert [(m["name"], m["unit"], m["value"]) for m in report["metrics"]] == [("Ir", "count", 200), ("L1m", "count", 18)]
    (file,) = report["merged"]["files"]
    assert {line["line"]: line["metrics"]["Ir"]["total"] for line in file["lines"]} == {2: 180, 5: 200}
    assert report["merged"]["totals"] == {}
    assert report["verdicts"][0]["kind"] == "declared"


@pytest.mark.parametrize("format_", FORMATS_WITH_ALL)
def test_formats_with_all_metrics(folder, format_):
    out = f"out.{format_}"
    run(folder, "export", "cg.out", "-f", format_, "-o", out)
    if format_ == "csv":
        table = list(csv.DictReader(io.StringIO((folder / out).read_text())))
        assert {row["function"]: (row["self_Ir"], row["total_L1m"]) for row in table} == {"work": ("90", "7"), "main": ("10", "9")}
    elif format_ in ("otlp", "speedscope"):
        assert b"L1m" in (folder / out).read_bytes()
    else:
        assert rows(run(folder, "report", out, "--flat", "--sort", "Ir")) == {"app.py:2": 90, "app.py:5": 10}


@pytest.mark.parametrize("format_", ["collapsed", "svg", "dot"])
def test_formats_with_one_metric(folder, format_):
    text = run(folder, "export", "one.pyro", "-f", format_, "--metric", "L1m", "-o", "-")
    assert "work" in text and ("7" in text)
    default = run(folder, "export", "one.pyro", "-f", format_, "-o", "-")
    assert "90" in default


def test_page(folder):
    run(folder, "export", "two.pyro", "-f", "page-data", "-o", "two.data")
    page = PageData((folder / "two.data").read_bytes())
    values = {metric["name"]: [] for metric in page.meta["metrics"]}
    for metric, value in zip(page["amount.metric"], page["amount.value"]):
        values[list(values)[metric]].append(value)
    assert {name: sum(each) for name, each in values.items()} == {"Ir": 200, "L1m": 18}


def test_diff(folder):
    text = run(folder, "diff", "one.pyro", "two.pyro", "--metric", "Ir")
    whole = next(line for line in text.splitlines() if line.split()[-1:] == ["Ir"])
    assert whole.split()[:3] == ["100", "200", "+100"]
    done = pyrometer("diff", "one.pyro", "two.pyro", "--metric", "Ir", "-f", "json", cwd=folder)
    (metric,) = json.loads(done.stdout)["metrics"]
    assert (metric["name"], metric["unit"], round(metric["total"]["difference"])) == ("Ir", "count", 100)


def test_what_is_not_declared_is_refused(folder):
    for words in (["report", "one.pyro", "--sort", "Dw"], ["export", "one.pyro", "-f", "svg", "--metric", "Dw"], ["diff", "one.pyro", "two.pyro", "--metric", "Dw"]):
        done = pyrometer(*words, cwd=folder)
        text = done.stderr.decode()
        assert done.returncode == 2 and "there is no metric 'Dw'" in text and "Ir" in text and len(text.splitlines()) == 1
