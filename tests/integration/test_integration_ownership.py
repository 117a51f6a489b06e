# SPDX-License-Identifier: Apache-2.0
"""Whose time it is: of imports, of code that was made of text, of helper processes, of tools, of the garbage collector.

The truth is what the program has measured in that run, and has written to standard output.
"""

import json
import os
import sys
import zipapp

import pytest
from pyrometer_tool import expect_success, profile, pyrometer
from report_json import ON_CPU, Cells

# Of a share that many samples have found; the clocks of a busy machine are read a little late.
CLOSE = {"rel": 0.2, "abs": 0.06}
MODULE = "\n".join(f"def f{i}(a, b=({i}, [a for a in range({i})])):\n    return [x * {i} for x in a if x != b]" for i in range(4000))
PACKAGES = os.path.join("lib", "python3", "site-packages")
BURN = "import time\ndef burn(seconds):\n    end = time.thread_time() + seconds\n    while time.thread_time() < end: sum(range(300000))\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="program.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def run(script, python, **options):
    """(what the program says, report)"""
    done = expect_success(profile(script, python.path, **options))
    return json.loads(done.process.stdout), done.report


def imported(view):
    return sum(Cells(row["totals"]).seconds(*ON_CPU) for row in view.data["imports"])


def test_what_only_compiles_is_no_import(write, python):
    write(MODULE, "large.py")
    script = write(
        "import json, py_compile, time\n"
        "begin = time.thread_time()\n"
        "for i in range(6): py_compile.compile('large.py', cfile='x.pyc')\n"
        "print(json.dumps(time.thread_time() - begin))\n"
    )
    compiling, report = run(script, python, cwd=script.parent)
    assert report.process.lines(script, {3}).seconds(*ON_CPU) == pytest.approx(compiling, **CLOSE)
    assert imported(report.process) < 0.3 * compiling


def test_what_an_import_does_is(write, python):
    write(MODULE, "large.py")
    write(BURN + "import large\nburn(0.3)\n", "outer.py")
    script = write(
        "import json, sys, time\n"
        "sys.dont_write_bytecode = True\n"
        "begin = time.thread_time()\n"
        "import outer\n"
        "importing = time.thread_time() - begin\n"
        "outer.burn(0.3)\n"
        "print(json.dumps(importing))\n"
    )
    importing, report = run(script, python, cwd=script.parent)
    (row,) = [row for row in report.process.data["imports"] if row["path"] and row["path"].endswith("outer.py")]
    assert Cells(row["totals"]).seconds(*ON_CPU) == pytest.approx(importing, **CLOSE)


def test_the_module_that_is_the_program_is_opened(write, python, tmp_path):
    for i in range(5):
        write(MODULE, f"all/large{i}.py")
    capture = tmp_path / "x.pyro"
    report = expect_success(
        profile(["-m", "compileall", "-q", "-f", "all"], python.path, cwd=tmp_path, capture=capture)
    ).report
    whole = report.merged.totals.seconds(*ON_CPU)
    assert imported(report.merged) < 0.3 * whole
    opened = report.data["opened"]
    assert (opened["packages"], opened["entry_point"]) == (["compileall"], None)
    (verdict,) = [verdict for verdict in report.data["verdicts"] if verdict["kind"] == "cpu"]
    assert verdict["place"]["function"] == "compile_file"
    # All outputs say the same, with the text of the line.
    sentence = " compileall, because "
    for words in (["--format", "text"], ["--format", "markdown"], ["--format", "summary"]):
        text = pyrometer("report", capture, *words, env={**os.environ, "COLUMNS": "160"}).stdout.decode()
        assert sentence in text and "py_compile.compile(" in text, text
    assert "opened:" not in pyrometer("report", capture, "--all").stdout.decode()


def test_the_tool_behind_an_entry_point_is_opened(write, python, tmp_path):
    where = f"{PACKAGES.replace('python3', 'python3.9')}"
    write(BURN + "def main():\n    burn(0.6)\n    return 0\n", f"{where}/tool/__init__.py")
    folder = tmp_path / where
    stub = write(
        f"import sys\nsys.path.insert(0, {str(folder)!r})\nfrom tool import main\n"
        "if __name__ == '__main__':\n    sys.exit(main())\n",
        "bin/tool",
    )
    report = expect_success(profile(stub, python.path)).report
    assert report.data["opened"]["packages"] == ["tool"]
    assert report.data["opened"]["entry_point"] == str(stub)
    own = {file["path"]: Cells(file["scoped"]).seconds(*ON_CPU) for file in report.merged.data["files"] if file["in_scope"]}
    assert own[str(folder / "tool/__init__.py")] > 0.5


def test_a_line_of_the_users_own_is_not_opened(write, python):
    script = write("import json\nfor i in range(40): json.loads(json.dumps(list(range(20000))))\n")
    assert expect_success(profile(script, python.path)).report.data["opened"] is None


def test_code_that_a_library_makes_is_not_the_users(write, python, tmp_path):
    where = PACKAGES.replace("python3", "python3.9")
    maker = (
        BURN + "def call(function, *words): return function(*words)\n"
        "made = {'burn': burn}\n"
        "exec(compile('def wrapped(s):\\n    return burn(s)\\n', \"<class 'maker.argmap'> compilation 3\", 'exec'), made)\n"
        "wrapped = made['wrapped']\n"
    )
    write(maker, f"{where}/maker.py")
    script = write(
        f"import sys, json, time\nsys.path.insert(0, {str(tmp_path / where)!r})\n"
        "import maker\n"
        "begin = time.thread_time()\n"
        "maker.wrapped(0.3)\n"
        "maker.call(maker.wrapped, 0.3)\n"
        "own = {'burn': maker.burn}\n"
        "exec(compile('def rule(s):\\n    return burn(s)\\n', '<rules>', 'exec'), own)\n"
        "own['rule'](0.3)\n"
        "print(json.dumps(time.thread_time() - begin))\n"
    )
    whole, report = run(script, python)
    own = {file["path"]: Cells(file["scoped"]).seconds(*ON_CPU) for file in report.merged.data["files"] if file["in_scope"]}
    assert set(own) == {str(script), "<rules>"}
    assert own["<rules>"] == pytest.approx(whole / 3, **CLOSE)
    for line in (5, 6):
        assert report.process.lines(script, {line}).seconds(*ON_CPU) == pytest.approx(whole / 3, **CLOSE)


def test_the_program_of_a_helper_process_is_not_the_users(python, tmp_path):
    burn = "import time\nend = time.thread_time() + 0.3\nwhile time.thread_time() < end: sum(range(300000))\n"
    program = burn + f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn + '#'!r}], check=True)\n"
    report = expect_success(profile(["-c", program], python.path)).report
    files = {file["path"]: file for file in report.merged.data["files"]}
    helper = files["<-c of a helper process>"]
    assert files["<string>"]["in_scope"] and not helper["in_scope"]
    # The line that waits for the helper has its time, too, as that of a worker.
    workers = sum(line["worker_seconds"]["scoped"] for line in files["<string>"]["lines"])
    assert workers > 0.2
    assert Cells(files["<string>"]["scoped"]).seconds(*ON_CPU) - workers == pytest.approx(0.3, **CLOSE)
    assert Cells(helper["self"]).seconds(*ON_CPU) == pytest.approx(0.3, **CLOSE)


def test_nor_is_it_below_exec_and_under_a_program_with_a_file(write, python):
    burn = "import time\nend = time.thread_time() + 0.3\nwhile time.thread_time() < end: sum(range(300000))\n"
    helper = f"exec({burn!r})"
    script = write(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {helper!r}], check=True)\n")
    report = expect_success(profile(script, python.path)).report
    assert "<string>" not in {file["path"] for file in report.merged.data["files"] if file["in_scope"]}
    (helper,) = [file for file in report.merged.data["files"] if file["path"] == "<-c of a helper process>"]
    assert Cells(helper["self"]).seconds(*ON_CPU) == pytest.approx(0.3, **CLOSE)


def test_a_zipapp_has_its_source(write, python, tmp_path):
    write(BURN + "def work():\n    burn(0.3)  # here\n", "app/inside.py")
    write("import inside\ninside.work()\n", "app/__main__.py")
    archive = tmp_path / "app.pyz"
    zipapp.create_archive(tmp_path / "app", archive, interpreter="/usr/bin/env python3", compressed=sys.version_info >= (3, 7))
    report = expect_success(profile(archive, python.path)).report
    lines = [line for file in report.merged.data["files"] for line in file["lines"] if file["path"].endswith("inside.py")]
    assert any(line["source"] and "sum(range(300000))" in line["source"] for line in lines), lines


def test_garbage_collection_is_the_verdict_where_it_is_the_cost(write, python):
    script = write(
        "import gc, json, time\n"
        "spent, begun = [0.0], [0.0]\n"
        "def note(phase, info):\n"
        "    now = time.thread_time()\n"
        "    if phase == 'start': begun[0] = now\n"
        "    else: spent[0] += now - begun[0]\n"
        "kept = []\n"
        "def build(count):\n"
        "    for i in range(count): kept.append([[i], {'a': i}, (i, [i])])\n"
        "gc.set_threshold(1000, 2, 2)\n"
        "build(60000)\n"
        "gc.callbacks.append(note)\n"
        "begin = time.thread_time()\n"
        "while spent[0] < 0.8:\n"
        "    build(2000)\n"
        "    gc.collect()\n"
        "gc.callbacks.remove(note)\n"
        "print(json.dumps([spent[0], time.thread_time() - begin]))\n"
    )
    (collecting, whole), report = run(script, python)
    view = report.process.data
    if not report.process.names_its_collector():
        pytest.skip("this interpreter has no symbols for its collector")
    assert collecting > 0.5 * whole
    # What came before and at the end is collected, too.
    assert view["gc_seconds"] > collecting - CLOSE["rel"] * collecting
    lines = {line["line"]: line["gc_seconds"] for file in view["files"] if file["path"] == str(script) for line in file["lines"]}
    assert lines.get(16, 0) + lines.get(9, 0) > (1 - CLOSE["rel"]) * collecting
    assert sum(view["gc_seconds_of"].values()) == pytest.approx(view["gc_seconds"])
    first = report.data["verdicts"][0] if report.data["verdicts"][0]["kind"] != "wait" else report.data["verdicts"][1]
    assert first["kind"] == "gc"
    assert first["seconds"] == pytest.approx(report.merged.data["gc_seconds"])
