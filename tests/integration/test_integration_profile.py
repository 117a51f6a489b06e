# SPDX-License-Identifier: Apache-2.0
"""@profile: the lines of marked functions and no others, on every interpreter."""

import ast
import json
import os
import subprocess

import pytest
import pythons
from pyrometer_tool import TESTS, expect_success, marks, profile, pyrometer

WITH_PACKAGE = {**os.environ, "PYTHONPATH": str(TESTS.parent / "python")}

# Asks for its CPU time now and then only: on a busy machine, a thread that often does so is
# seldom met by the kernel's ticks.
BURN = """
import time
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(300000))
def step():
    burn(0.02)
def work():
    burn(0.2)
"""

# Lines with a mark are in marked functions; those with `mark: long` take so much time that they
# cannot be without samples, however busy the machine is.
KINDS = (
    BURN
    + """
import asyncio, functools
def others(function):
    @functools.wraps(function)
    def wrapper(*args):
        step()
        return function(*args)
    return wrapper
@profile
def plain():
    work()  # mark: long
@profile
async def coroutine():
    step()  # mark: shown
@profile
def generator():
    step()  # mark: shown
    yield
def outer():
    step()
    @profile
    def nested():
        step()  # mark: shown
    for _ in range(3):
        nested()
short = profile(lambda: step())  # mark: shown
@profile
def around():
    def inside():
        work()  # mark: long
    inside()  # mark: long
    (lambda: work())()  # mark: long
@profile
@others
def wrapped():
    step()  # mark: shown
@profile
@functools.lru_cache(maxsize=None)
def cached():
    step()  # mark: shown
class Methods:
    @profile
    def method(self):
        step()  # mark: shown
    @profile
    @staticmethod
    def static():
        step()  # mark: shown
    @classmethod
    @profile
    def klass(cls):
        step()  # mark: shown
    @profile
    @property
    def value(self):
        step()  # mark: shown
    def unmarked(self):
        step()
class Base:
    def inherited(self):
        step()
@profile
class Whole(Base):
    other = Methods
    limit = 5
    def method(self):
        step()  # mark: shown
    @property
    def value(self):
        step()  # mark: shown
@profile()
def called():
    step()  # mark: shown
def unmarked():
    work()
plain(); asyncio.run(coroutine()); list(generator()); outer(); short(); around(); wrapped(); cached(); called()
methods = Methods(); methods.method(); methods.static(); methods.klass(); methods.value; methods.unmarked()
whole = Whole(); whole.method(); whole.value; whole.inherited(); unmarked()
"""
)
MARKED = "plain coroutine generator nested <lambda> around wrapped cached method static klass value method value called"


def everywhere():
    """Every interpreter, also those of another root."""
    first, others = pythons.split()
    return first + others


def short_names(data):
    """Of the marked functions; before 3.11 code knows no other."""
    return [row["name"].rpartition(".")[2] for row in data["profiled_functions"]]


def lines_with_time(report, script):
    """Lines of the script's file that the report has, and that have time."""
    file = report.process.data["files"]
    (own,) = [entry for entry in file if entry["path"] == str(script)]
    return {line["line"] for line in own["lines"] if line["total"]}


def heads(script, lines):
    """Where the functions with these lines begin: a sample may meet a call that has only just begun."""
    functions = [node for node in ast.walk(ast.parse(script.read_text())) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = set()
    for line in lines:
        around = [node for node in functions if node.lineno < line <= node.end_lineno]
        for node in sorted(around, key=lambda node: node.lineno)[-1:]:
            begin = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
            found |= set(range(begin, node.lineno + 1))
    return found


def check_kinds(tmp_path, interpreter, head, **options):
    script = tmp_path / "program.py"
    script.write_text(head + KINDS)
    report = expect_success(profile(script, interpreter.path, **options)).report
    assert report.data["lines_restricted"] is True
    assert sorted(short_names(report.data)) == sorted(MARKED.split())
    seen, certain = lines_with_time(report, script), marks(script)["long"]
    marked = certain | marks(script)["shown"]
    assert certain <= seen <= marked | heads(script, marked)
    assert len(seen & marked) > len(certain) + 3
    functions = {row["name"].rpartition(".")[2] for row in report.process.data["files"][0]["functions"]}
    assert {"plain", "unmarked", "burn"} <= functions
    return script


@pytest.mark.parametrize("interpreter", everywhere(), ids=str)
def test_as_a_builtin(tmp_path, interpreter):
    script = check_kinds(tmp_path, interpreter, "")
    bare = subprocess.run([interpreter.path, script], capture_output=True)
    assert bare.returncode == 1 and b"NameError" in bare.stderr


@pytest.mark.parametrize("interpreter", everywhere(), ids=str)
def test_imported(tmp_path, interpreter):
    check_kinds(tmp_path, interpreter, "from pyrometer import profile", env=WITH_PACKAGE)


def test_without_profiler_it_does_nothing(tmp_path, python):
    script = tmp_path / "program.py"
    script.write_text(
        "import sys\n"
        "from pyrometer import profile\n"
        "def f(): return 1\n"
        "async def g(): pass\n"
        "class A: pass\n"
        "for thing in (f, g, A, property(f), staticmethod(f), classmethod(f), print, 5, None.__class__, lambda: 0):\n"
        "    before = sys.getrefcount(thing)\n"
        "    assert profile(thing) is thing\n"
        "    assert sys.getrefcount(thing) == before, thing\n"
        "assert profile() is profile\n"
        "assert f() == 1\n"
        "print('same')\n"
    )
    bare = subprocess.run([python.path, script], env=WITH_PACKAGE, capture_output=True)
    assert (bare.stdout, bare.stderr) == (b"same\n", b"")
    profiled = profile(script, python.path, env=WITH_PACKAGE)
    assert (profiled.process.stdout, profiled.process.stderr) == (b"same\n", b"")


# Objects that answer in unusual ways to what the decorator asks them.
ODD = """
class Loud:
    def __getattr__(self, name):
        print("asked for", name)
        raise RuntimeError(name)
class Loop: pass
loop = Loop()
loop.__wrapped__ = loop
class Member:
    loud = Loud()
    __module__ = 5
def function(): pass
function.__wrapped__ = function
thing = Loud()
assert profile(loop) is loop and profile(Member) is Member and profile(function) is function
assert profile(5) == 5 and profile(None) is None
assert profile(thing) is thing
for words, names in (((1, 2), {}), ((), {"x": 1})):
    try: profile(*words, **names)
    except TypeError: print("refused")
@profile
def last(): pass
"""


def test_odd_objects(tmp_path, python):
    script = tmp_path / "program.py"
    script.write_text(ODD)
    profiled = expect_success(profile(script, python.path))
    assert profiled.process.stderr == b""
    # Only what stands under the decorator itself is asked.
    assert profiled.process.stdout == b"asked for __wrapped__\nrefused\nrefused\n"
    assert [row["name"] for row in profiled.report.data["profiled_functions"]] == ["last"]


def test_defined_in_a_loop(tmp_path, python):
    """A function that is made and marked again and again is one function and fills no ring."""
    script = tmp_path / "program.py"
    script.write_text("for _ in range(300000):\n    @profile\n    def f(): pass\n")
    report = expect_success(profile(script, python.path)).report
    assert len(report.data["profiled_functions"]) == 1
    assert [loss for loss in report.data["losses"] if loss["id"] in ("records_dropped", "memory_frees_lost") and loss["value"]] == []


def test_the_builtin_is_for_programs_that_use_it(tmp_path, one_python):
    script = tmp_path / "program.py"
    script.write_text("import builtins\nprint(hasattr(builtins, 'profile'))\n")
    assert profile(script, one_python.path).process.stdout == b"False\n"
    script.write_text("import builtins\nbuiltins.profile = 5\nprint(profile)\n'''\n@profile\n'''\n")
    assert profile(script, one_python.path).process.stdout == b"5\n"


def test_modules_and_code(tmp_path, one_python):
    text = BURN + "@profile\ndef marked():\n    work()\nmarked()\n"
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool" / "__main__.py").write_text(text)
    (tmp_path / "tool" / "part.py").write_text(text)
    for words in (["-m", "tool"], ["-m", "tool.part"], ["-c", text], ["tool"]):
        profiled = expect_success(profile(words, one_python.path, cwd=tmp_path))
        assert [row["name"] for row in profiled.report.data["profiled_functions"]] == ["marked"], words


SPAWN = (
    BURN
    + """
import multiprocessing
@profile
def task(count):
    work()  # mark: shown
    return count
def unmarked():
    work()
if __name__ == "__main__":
    multiprocessing.set_start_method(__import__("sys").argv[1])
    with multiprocessing.Pool(2) as pool:
        print(sum(pool.map(task, [5, 5])))
    unmarked()
"""
)


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_processes(tmp_path, python, method):
    script = tmp_path / "program.py"
    script.write_text(SPAWN)
    profiled = expect_success(profile([script, method], python.path))
    assert (profiled.process.stdout, profiled.process.stderr) == (b"10\n", b"")
    shown = set()
    for process in profiled.report.data["processes"]:
        for file in process["files"]:
            if file["path"] == str(script):
                shown |= {line["line"] for line in file["lines"]}
    assert shown == marks(script)["shown"]
    assert short_names(profiled.report.data) == ["task"]


def test_all_functions(tmp_path, one_python):
    script = tmp_path / "program.py"
    script.write_text(KINDS)
    capture = tmp_path / "capture.pyro"
    expect_success(profile(script, one_python.path, capture=capture))
    restricted = pyrometer("report", capture).stdout.decode()
    assert f"only of {len(MARKED.split())} functions with @profile; --all-functions" in restricted
    whole = pyrometer("report", "--all-functions", capture).stdout.decode()
    assert "@profile;" not in whole and "sum(range(" in whole and "sum(range(" not in restricted
    data = json.loads(pyrometer("report", "--all-functions", "--json", "-", capture).stdout)
    assert data["lines_restricted"] is False and sorted(short_names(data)) == sorted(MARKED.split())


def test_recording_may_be_off(tmp_path, one_python):
    script = tmp_path / "program.py"
    script.write_text("import pyrometer\n" + BURN + "@pyrometer.profile\ndef f():\n    work()\npyrometer.start()\nf()\n")
    report = expect_success(profile(script, one_python.path, ["--off"], env=WITH_PACKAGE)).report
    assert [row["name"] for row in report.data["profiled_functions"]] == ["f"]
    ((line,),) = [file["lines"] for file in report.process.data["files"] if file["lines"]]
    assert (line["line"], line["source"]) == (14, "    work()")
    # It has the time of what it calls.
    assert line["scoped"] == line["total"] != {} and line["self"] == {}
