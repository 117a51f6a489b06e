# SPDX-License-Identifier: Apache-2.0
"""Which processes are in a capture, how they ended, and what happens when one outlives another."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from burned import BURN
from pyrometer_tool import expect_success, profile, pyrometer, tool
from report_json import ON_CPU, Report

HEAD = BURN + "import signal, subprocess\n"
PATIENCE_SECONDS = 300


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "program.py"
        path.write_text(HEAD + text)
        return path

    return write


def wait_for(condition, seconds=PATIENCE_SECONDS):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError("it did not happen in time")


def report_of(capture):
    done = pyrometer("report", "--json", "-", capture)
    assert done.returncode == 0, done.stderr
    return Report(json.loads(done.stdout))


def in_burn(report, script):
    return report.merged.function(script, "burn")


def test_a_child_that_outlives_the_program(write, tmp_path, one_python, burned):
    script = write(
        "if os.fork() == 0:\n"
        "    os.closerange(0, 3)\n"
        "    while not os.path.exists(sys.argv[2]): burn(0.05)\n"
        "    open(sys.argv[1], 'w').close()\n"
        "    os._exit(4)\n"
        "burn(0.1)\n"
        "sys.exit(3)\n"
    )
    done, enough, capture = tmp_path / "done", tmp_path / "enough", tmp_path / "capture.pyro"
    words = [tool(), "run", "-o", capture, "--python", one_python.path, script, done, enough]
    process = subprocess.run(list(map(str, words)), capture_output=True, timeout=PATIENCE_SECONDS)
    assert process.returncode == 3
    # It does not wait for the child, as the bare program's caller would not.
    assert b"1 process of the program still running" in process.stderr
    first = report_of(capture)
    before = len(burned().stretches())
    wait_for(lambda: len(burned().stretches()) > before + 5)
    enough.touch()
    wait_for(done.exists)
    last = wait_for(lambda: [r for r in [report_of(capture)] if all(p.data["exit"] for p in r.processes)])[0]
    assert not burned().wrong(in_burn(last, script), last)
    assert in_burn(last, script).seconds(*ON_CPU) > in_burn(first, script).seconds(*ON_CPU)
    assert sorted(p.data["exit"]["code"] for p in last.processes) == [3, 4]
    assert not [path for path in os.listdir("/proc") if path.isdigit() and _is_ours(path, capture)]


def _is_ours(pid, capture):
    try:
        return str(capture).encode() in Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return False


def test_how_children_ended(write, one_python):
    script = write(
        "def child(end):\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        burn(0.05)\n"
        "        end()\n"
        "    os.waitpid(pid, 0)\n"
        "child(lambda: os._exit(7))\n"
        "child(lambda: sys.exit(8))\n"
        "child(lambda: os.kill(os.getpid(), signal.SIGKILL))\n"
        "child(lambda: os.abort())\n"
        "subprocess.run([sys.executable, '-c', 'raise SystemExit(9)'])\n"
        "burn(0.05)\n"
    )
    report = expect_success(profile(script, one_python.path)).report
    ends = [(p.data["exit"]["code"], p.data["exit"]["signal"]) for p in report.processes]
    assert ends[0] == (0, None)
    codes = [code for code, _ in ends[1:] if code is not None]
    assert sorted(codes) == [7, 8, 9]
    # Which signal it was only newer kernels tell.
    assert len(ends) == 6 and {number for code, number in ends if code is None} <= {None, 6, 9}


def test_no_children(write, one_python, burned):
    script = write(
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    burn(0.2, 'child')\n"
        "    os._exit(0)\n"
        "os.waitpid(pid, 0)\n"
        "subprocess.run([sys.executable, '-c', 'sum(range(10**6))'])\n"
        "burn(0.2)\n"
        "if len(sys.argv) == 1:\n"
        "    os.execv(sys.executable, [sys.executable, __file__, 'again'])\n"
    )
    report = expect_success(profile(script, one_python.path, ["--no-children"])).report
    assert len({p.pid for p in report.processes}) == 1
    # What the process itself becomes belongs to it.
    assert len(burned().stretches(mark="burn")) == 2
    assert not burned().wrong(in_burn(report, script), report, "burn")
    everything = expect_success(profile(script, one_python.path)).report
    assert len({p.pid for p in everything.processes}) == 5


def test_killed_launcher_leaves_the_program_alone_and_a_report(write, tmp_path, one_python, burned):
    script = write("for path in sys.argv[1:]:\n    burn(1.2)\n    open(path, 'w').close()\n")
    half, done, capture = tmp_path / "half", tmp_path / "done", tmp_path / "capture.pyro"
    words = [tool(), "run", "-o", capture, "--python", one_python.path, script, half, tmp_path / "later", done]
    launcher = subprocess.Popen(list(map(str, words)), stderr=subprocess.DEVNULL)
    wait_for(half.exists)
    (partial,) = tmp_path.glob("*.partial")
    wait_for(lambda: partial.stat().st_mtime > half.stat().st_mtime)
    launcher.kill()
    launcher.wait()
    spool = [path for path in Path("/dev/shm").glob("pyrometer-*") if os.path.realpath(path / "capture") == str(partial)]
    wait_for(done.exists)
    assert len(spool) == 1 and not capture.exists()
    report = report_of(spool[0])
    first, *_ = burned().stretches()
    # What was there when it was killed, and at most what the program did in all.
    assert 0.8 * first < in_burn(report, script).seconds(*ON_CPU) <= 1.05 * sum(burned().stretches())
    text = pyrometer("report", spool[0])
    assert text.returncode == 0 and b"did not end in an orderly way" in text.stdout


@pytest.mark.parametrize("count", [100])
def test_a_hundred_children_at_once(write, one_python, count, burned):
    script = write(
        f"pids = []\n"
        f"for i in range({count}):\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        burn(0.02)\n"
        "        os._exit(i % 50)\n"
        "    pids.append(pid)\n"
        "print(sum(os.waitpid(pid, 0)[1] >> 8 for pid in pids))\n"
    )
    profiled = expect_success(profile(script, one_python.path))
    assert profiled.process.stdout == b"2450\n"
    children = profiled.report.processes[1:]
    assert len(children) == count
    assert sorted(p.data["exit"]["code"] for p in children) == sorted(i % 50 for i in range(count))
    assert len(burned().stretches()) == count
    assert not burned().wrong(in_burn(profiled.report, script), profiled.report)


def spool_of(capture):
    """The spool directory of the run that writes this capture."""
    links = Path("/dev/shm").glob("pyrometer-*/capture")
    return next((link.parent for link in links if os.path.realpath(link).startswith(str(capture))), None)


def spool_bytes(spool, launcher):
    """Room that rings take: those still in the directory, and those that only the collector holds."""
    used = 0
    for ring in spool.glob("*.ring"):
        with contextlib.suppress(FileNotFoundError):
            used += ring.stat().st_blocks * 512
    for line in Path(f"/proc/{launcher.pid}/maps").read_text().splitlines():
        if line.endswith(".ring (deleted)"):
            start, end = line.split()[0].split("-")
            used += int(end, 16) - int(start, 16)
    return used


def test_a_thousand_short_children_in_sequence(write, tmp_path, one_python):
    """Each has its row with its exit code, and the room that they take is that of a few."""
    script = write(
        "for i in range(1000):\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        if i % 40 == 0: os.execv(sys.executable, [sys.executable, '-S', '-E', '-c', f'raise SystemExit({i % 50})'])\n"
        "        os._exit(i % 50)\n"
        "    assert os.waitpid(pid, 0)[1] >> 8 == i % 50\n"
        "print('done')\n"
    )
    capture = tmp_path / "capture.pyro"
    words = [tool(), "run", "--no-report", "-o", capture, "--python", one_python.path, script]
    launcher = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    spool, most = wait_for(lambda: spool_of(capture)), 0
    while launcher.poll() is None:
        most = max(most, spool_bytes(spool, launcher))
        time.sleep(0.02)
    assert (launcher.returncode, launcher.stdout.read()) == (0, b"done\n")
    launcher.stdout.close()
    report = report_of(capture)
    ends = {p.pid: p.data["exit"]["code"] for p in report.processes if p.data["parent_pid"] == report.process.pid}
    assert sorted(ends.values()) == sorted(i % 50 for i in range(1000))
    assert (1 << 20) <= most < (300 << 20)
    assert not spool.exists()
    assert capture.stat().st_size < (1 << 20)


def test_report_of_one_process(write, tmp_path, one_python):
    script = write(
        "import os\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    sum(range(8000000))\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    capture = tmp_path / "run.pyro"
    whole = expect_success(profile(script, one_python.path, capture=capture)).report
    child = next(process for process in whole.processes if process.data["parent_pid"] == whole.process.pid)
    json_file = tmp_path / "child.json"
    shown = pyrometer("report", capture, "--process", child.pid, "--json", json_file)
    assert shown.returncode == 0 and b"Processes" not in shown.stdout
    part = Report(json.loads(json_file.read_text()))
    assert [process.pid for process in part.processes] == [child.pid]
    assert part.merged.data["totals"] == child.data["totals"]
    wrong = pyrometer("report", capture, "--process", 1)
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("limit", ["-S", ""], ids=["by default", "at all"])
def test_more_threads_than_files_may_be_open(write, one_python, limit):
    """pyrometer keeps files open for each thread, but may open more than the user's usual limit says."""
    script = write(
        "import resource, threading\n"
        "threads = [threading.Thread(target=time.sleep, args=(0.5,)) for _ in range(60)]\n"
        "[thread.start() for thread in threads], [thread.join() for thread in threads]\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])\n"
    )
    few = ["sh", "-c", f'ulimit {limit} -n 64 && exec "$@"', "sh"]
    profiled = expect_success(profile(script, one_python.path, launcher=few))
    assert profiled.process.stdout == b"64\n"
    asleep = [thread for thread in profiled.report.process.threads if thread.seconds("sleep") > 0.25]
    unknown = profiled.report.loss("threads_without_waits")
    assert len(asleep) + unknown == 60 and (unknown == 0) == (limit == "-S")
