# SPDX-License-Identifier: Apache-2.0
"""A Python that a program loads as a library, after main has begun."""

import os
import subprocess
from pathlib import Path

import pytest
import pythons
from pyrometer_tool import marks, pyrometer, read_report
from report_json import ON_CPU, Cells

PROGRAM = """
import sys, time
def burn(seconds):
    begin = time.thread_time()
    while time.thread_time() < begin + seconds:  # asked seldom: that would keep ticks away
        sum(range(100_000))
    return time.thread_time() - begin

def hold():
    return [bytes(100) for _ in range(200_000)]  # mark: hold

worked = []
def work():
    begin = time.thread_time()
    while time.thread_time() < begin + 0.4:
        sum(range(100_000))
    worked.append(time.thread_time() - begin)

def main():
    held = hold()
    print("burn", burn(0.6), len(held))
    if "older" in sys.argv:
        while not worked:
            time.sleep(0.02)
        print("work", worked[0])
    sys.stdout.flush()
    if "fork" in sys.argv:
        import os
        if os.fork() == 0:
            burn(0.3)
            os._exit(0)
        os.wait()
    sys.exit(5)

main()
"""


def library_of(python):
    """The interpreter as a shared library; empty where it has none."""
    ask = "import sysconfig as s; print(s.get_config_var('LIBDIR') + '/' + (s.get_config_var('INSTSONAME') or ''))"
    path = subprocess.run([python.path, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    return path if ".so" in path and os.path.exists(path) else ""


SHARED = [python for python in pythons.found() if library_of(python)]


@pytest.fixture
def newest():
    if not SHARED:
        pytest.skip("no interpreter as a shared library")
    return SHARED[-1]


@pytest.fixture(scope="module")
def embedder(tmp_path_factory):
    path = tmp_path_factory.mktemp("embedder") / "embedder"
    source = Path(__file__).with_name("embedder.c")
    subprocess.run(["cc", "-O1", "-o", str(path), str(source), "-ldl", "-pthread"], check=True)
    return path


@pytest.fixture
def run(embedder, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)

    def run(python, *ways, arguments=()):
        home = subprocess.run([python.path, "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True)
        json_file = tmp_path / "report.json"
        words = ["run", "--mem-interval", 32768, "--json", json_file, "--no-report", "-o", tmp_path / "capture.pyro"]
        words += [embedder, *ways, library_of(python), script, *arguments]
        done = pyrometer(*words, env={**os.environ, "PYTHONHOME": home.stdout.strip()})
        assert (done.returncode, done.stderr) == (5, b""), done.stderr
        told = {words[0]: float(words[1]) for words in map(str.split, done.stdout.decode().splitlines())}
        return script, told, read_report(json_file)

    return run


def assert_near(cells, truth):
    """Work begins and ends between two samples, whose distance is exponential where many threads share a CPU: eight times
    the mean is met once in 3,000."""
    weight = cells.seconds(*ON_CPU) / max(1, cells.samples(*ON_CPU))
    assert cells.seconds(*ON_CPU) == pytest.approx(truth, rel=0.1, abs=0.02 + 8 * weight)


def check(script, told, report):
    merged = report.merged
    assert merged.function(script, "burn").seconds(*ON_CPU) == pytest.approx(told["burn"], rel=0.1, abs=0.03)
    # 200,000 objects of 133 bytes and a list of them, sampled every 32 KiB.
    held = merged.memory(script, marks(script)["hold"]).bytes("live_at_peak")
    assert held == pytest.approx(200_000 * (133 + 8), rel=0.25)


@pytest.mark.parametrize("shared_python", SHARED, ids=str)
@pytest.mark.parametrize("ways", [(), ("local",)], ids=["global", "local"])
def test_a_python_that_is_loaded_later(run, shared_python, ways):
    script, told, report = run(shared_python, *ways)
    check(script, told, report)
    (process,) = report.processes
    assert process.data["exit"]["code"] == 5
    assert report.loss("threads_not_sampled") == 0


@pytest.mark.parametrize("shared_python", SHARED, ids=str)
def test_in_a_thread_that_is_not_the_main_one(run, shared_python):
    script, told, report = run(shared_python, "thread")
    check(script, told, report)
    assert report.loss("threads_not_sampled") == 0


@pytest.mark.parametrize("shared_python", SHARED, ids=str)
def test_a_thread_that_was_there_before_is_recorded(run, shared_python):
    script, told, report = run(shared_python, "older", arguments=["older"])
    assert report.loss("threads_not_sampled") == 0
    assert_near(report.merged.function(script, "work"), told["work"])
    (older,) = (Cells(thread["totals"]) for thread in report.process.data["threads"] if thread["name"] == "older")
    assert_near(older, told["work"] + told["native"])


def test_threads_that_do_not_take_signals_are_counted(run, newest):
    script, told, report = run(newest, "idle", "deaf")
    check(script, told, report)
    assert report.loss("threads_not_sampled") == 1


def test_threads_that_end_while_they_are_listed(run, newest):
    script, told, report = run(newest, "churn", "churn", "older", arguments=["older"])
    assert_near(report.merged.function(script, "work"), told["work"])
    assert report.loss("threads_not_sampled") == 0


def test_its_children_are_recorded(run, newest):
    script, _, report = run(newest, arguments=["fork"])
    assert len(report.processes) == 2
    assert report.merged.function(script, "burn").seconds(*ON_CPU) == pytest.approx(0.9, rel=0.15)


def test_without_a_python_the_line_says_so():
    done = pyrometer("run", "/bin/true")
    assert (done.returncode, done.stderr) == (0, b"pyrometer: no profile: no CPython was found in the program\n")
