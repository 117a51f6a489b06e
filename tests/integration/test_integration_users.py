# SPDX-License-Identifier: Apache-2.0
"""Processes of another user than the one who profiles: recorded, and no way into what is not theirs."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from pyrometer_tool import Profiled, expect_success, profile, pyrometer, read_report
from report_json import ON_CPU

NOBODY = 65534
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")

PROGRAM = """
import os, subprocess, sys, time
def burn(seconds):
    begin = time.thread_time()
    while time.thread_time() < begin + seconds:
        sum(range(100_000))
    return time.thread_time() - begin

def drop():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)

WORK = [sys.executable, __file__, "work"]

def fork_after():
    drop()
    if os.fork() == 0:
        print(burn(0.4), flush=True)
        os._exit(0)
    os.wait()

def exec_after():
    if os.fork() == 0:
        drop()
        os.execv(WORK[0], WORK)
    os.wait()

def subprocess_user():
    subprocess.run(WORK, user=65534, group=65534, extra_groups=[], check=True)

def work():
    print(burn(0.4), flush=True)

globals()[sys.argv[1]]()
"""

CUTS_ITS_RING = """
import os, time
os.setgid(65534)
os.setuid(65534)
if os.fork() == 0:
    places = [f"{place}/{name}/65534" for place in ("/dev/shm", "/tmp") for name in os.listdir(place)]
    rings = [f"{folder}/{ring}" for folder in places if os.access(folder, os.R_OK) for ring in os.listdir(folder)]
    (ring,) = [ring for ring in rings if f"/{os.getpid()}-" in ring]
    folder = os.path.dirname(ring)
    os.symlink("/etc/passwd", f"{folder}/1-1.ring")
    os.mkfifo(f"{folder}/2-1.ring")
    file = os.open(ring, os.O_RDWR)
    end = time.monotonic() + 0.4
    while time.monotonic() < end:
        sum(range(100_000))
    os.ftruncate(file, 0)
    while True:
        sum(range(100_000))
os.wait()
end = time.thread_time() + 0.3
while time.thread_time() < end:
    sum(range(100_000))
print("done")
"""


@pytest.fixture
def open_folder(tmp_path):
    """Writes a program where everybody can read it."""

    def write(text):
        for folder in (tmp_path, *tmp_path.parents):
            if folder == Path(tempfile.gettempdir()):
                break
            folder.chmod(0o755)
        script = tmp_path / "program.py"
        script.write_text(text)
        script.chmod(0o644)
        return script

    return write


@pytest.fixture
def run(open_folder):
    def run(text, python, *arguments):
        script = open_folder(text)
        return script, expect_success(profile([script, *arguments], python))

    return run


def check(script, done, processes, wrapper_share=0.0):
    """`wrapper_share`: what a program around Python may use, as a part of what Python uses; that is another program's time."""
    report = done.report
    assert len(report.pids) == processes
    burned = report.merged.function(script, "burn").seconds(*ON_CPU)
    assert burned == pytest.approx(float(done.process.stdout), rel=0.1)
    assert report.loss("cpu_in_other_programs") / 1e9 <= wrapper_share * burned


def usable(python):
    """Whether others may run it, as they may not what lies in a private home."""
    try:
        return subprocess.run([python, "-c", "pass"], preexec_fn=become_nobody, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def shared_python():
    for python in (sys.executable, "/usr/bin/python3"):
        if usable(python):
            return python
    pytest.skip("no interpreter that others may run")


def test_fork_after_the_user_has_changed(run, python):
    script, done = run(PROGRAM, python.path, "fork_after")
    check(script, done, 2)


@pytest.mark.parametrize("way", ["exec_after", "subprocess_user"])
def test_another_program_as_another_user(run, way):
    python = shared_python()
    script, done = run(PROGRAM, python, way)
    check(script, done, 2)


@pytest.mark.parametrize("change", [["setpriv", "--reuid=65534", "--clear-groups"], ["su", "-s", "/bin/sh", "nobody", "-c"]])
def test_the_first_python_is_of_another_user(tmp_path, open_folder, change):
    if not shutil.which(change[0]):
        pytest.skip(f"no {change[0]}")
    script = open_folder(PROGRAM)
    words = [shared_python(), str(script), "work"]
    words = [" ".join(words)] if change[0] == "su" else words
    json_file = tmp_path / "report.json"
    done = pyrometer("run", "--no-report", "--json", json_file, "-o", tmp_path / "capture.pyro", *change, *words)
    assert (done.returncode, done.stderr) == (0, b"")
    # su stays, and reads what the machine says of its users; if Python were not recorded, all of its time would be missing.
    check(script, Profiled(done, read_report(json_file)), 1, wrapper_share=0.5 if change[0] == "su" else 0.0)


def test_a_process_that_spoils_its_ring_harms_itself_alone(run, one_python):
    _, done = run(CUTS_ITS_RING, one_python.path)
    assert done.process.stdout == b"done\n"
    assert len(done.report.pids) == 2
