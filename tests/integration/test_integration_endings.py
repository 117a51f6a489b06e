# SPDX-License-Identifier: Apache-2.0
"""Disks that fill up, folders that go away, readers that leave: the program goes on, and what there is can be shown."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import pythons
from burned import BURN, Burned
from pyrometer_tool import TIMEOUT_SECONDS, pyrometer, tool
from report_json import ON_CPU, Report

PROGRAM = BURN + """
def before(): burn(1.3, "before")
def after(): burn(0.3, "after")
before()
exec(sys.argv[1])
after()
print("done")
sys.exit(7)
"""
# The line that ends each report.
FIGURES = re.compile(r"pyrometer: [\d,]+ samples?( of memory)? · ")
FULL = r"pyrometer: cannot write the capture: No space left on device; what came after \d+\.\d s is lost"


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "program.py"
    # Source text that does not compress: it comes last, and does not fit on a disk that is full.
    path.write_text(PROGRAM + f"# {os.urandom(8000).hex()}\n")
    return path


@pytest.fixture
def small_disk(tmp_path):
    """A disk with room for a few blocks of a capture."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", place], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("may not mount a disk: " + mounted.stderr.decode().strip())
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def run(*words, launcher=(), **options):
    command = [*launcher, tool(), "run", *map(str, words)]
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS, **options)


def report_of(capture):
    done = pyrometer("report", "--json", "-", capture)
    assert done.returncode == 0, done.stderr
    return Report(json.loads(done.stdout))


def assert_all_of_after(burned, report, script):
    assert not burned().wrong(report.merged.function(script, "after"), report, "after")


def messages(done):
    """What pyrometer has to say, without the line of figures that ends each report."""
    lines = done.stderr.decode().splitlines()
    return [line for line in lines if line.startswith("pyrometer: ") and not FIGURES.match(line)]


def as_bare(done):
    assert (done.returncode, done.stdout) == (7, b"done\n"), done.stderr


def test_disk_full_while_running(script, small_disk, one_python, burned):
    capture = small_disk / "x.pyro"
    fill = f"open({str(small_disk / 'fill')!r}, 'wb', 0).write(bytes(1 << 20))"
    done = run("-o", capture, "--python", one_python.path, script, f"try: {fill}\nexcept OSError: pass")
    as_bare(done)
    (message,) = messages(done)
    assert re.fullmatch(FULL, message)
    report = report_of(capture)
    # The last second may be lost.
    (before,) = burned().stretches(mark="before")
    assert report.merged.function(script, "before").seconds(*ON_CPU) > before - 1
    assert report.data["load"]["orderly_end"] is False
    assert b"program.py" in done.stderr and b" burn " in done.stderr, "the report is shown all the same"


def test_disk_full_from_the_start(script, small_disk, one_python):
    (small_disk / "fill").write_bytes(bytes(60 << 10))
    done = run("-o", small_disk / "x.pyro", "--python", one_python.path, script, "pass")
    as_bare(done)
    assert re.fullmatch(FULL, messages(done)[0])


def test_folder_of_the_output_is_removed(script, tmp_path, one_python, burned):
    folder, rescue = tmp_path / "gone", tmp_path / "rescue"
    folder.mkdir()
    rescue.mkdir()
    words = ["-o", folder / "x.pyro", "--python", one_python.path, script]
    done = run(*words, f"import shutil; shutil.rmtree({str(folder)!r})", env={**os.environ, "TMPDIR": str(rescue)})
    as_bare(done)
    (message,) = messages(done)
    (capture,) = rescue.glob("*.pyro")
    assert message == f"pyrometer: cannot write {folder / 'x.pyro'}: No such file or directory; the capture is in {capture}"
    assert_all_of_after(burned, report_of(capture), script)


def test_folder_of_the_output_becomes_read_only(script, one_python):
    launcher, python = [], one_python
    if os.getuid() == 0:  # which no permission stops
        launcher = pythons.launcher("--user", "65534")
        python = pythons.usable_by(launcher, pythons.found()) or pytest.skip("no interpreter outside root's home")
    # Not below pytest's own folder, which only its user may enter.
    with tempfile.TemporaryDirectory(prefix="pyrometer-endings-") as top:
        file = Path(top, "burned")
        folder = Path(top, "out")
        folder.mkdir()
        for path in (Path(top), folder):
            path.chmod(0o777)
        copy = shutil.copy(script, top)
        words = ["-o", folder / "x.pyro", "--python", python.path, copy]
        chown = [sys.executable, "-c", f"import os; os.chown({str(folder)!r}, 65534, 65534)"]
        if os.getuid() == 0:
            subprocess.run(chown, check=True)
        environment = {**os.environ, "BURNED": str(file)}
        done = run(*words, f"os.chmod({str(folder)!r}, 0o555)", launcher=launcher, env=environment)
        as_bare(done)
        (message,) = messages(done)
        (capture,) = folder.iterdir()
        assert "Permission denied" in message and message.endswith(f"the capture is in {capture}")
        assert_all_of_after(lambda: Burned(file), report_of(capture), copy)
        folder.chmod(0o777)


@pytest.mark.parametrize("to_pipe", [["stdout"], ["stderr"], ["stdout", "stderr"]], ids="+".join)
def test_output_on_a_pipe_that_is_closed_early(tmp_path, one_python, to_pipe):
    """As with `| head -1`: the first line is read, then nobody reads any more."""
    script, capture, gone = tmp_path / "program.py", tmp_path / "x.pyro", tmp_path / "gone"
    script.write_text(
        "import os, sys, time\n"
        f"print('one', file=sys.{to_pipe[0]}, flush=True)\n"
        f"while not os.path.exists({str(gone)!r}): time.sleep(0.01)\n"
        "raise SystemExit(3)\n"
    )
    read, write = os.pipe()
    streams = {name: write if name in to_pipe else subprocess.DEVNULL for name in ("stdout", "stderr")}
    words = [tool(), "run", "-o", capture, "--python", one_python.path, script]
    process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, **streams)
    os.close(write)
    with open(read) as reader:
        assert reader.readline() == "one\n"
    gone.touch()
    assert process.wait(timeout=TIMEOUT_SECONDS) == 3
    assert report_of(capture).process.data["exit"]["code"] == 3
    assert not list(tmp_path.glob("*.partial"))


def test_json_on_a_pipe_that_is_closed(tmp_path, one_python):
    capture = tmp_path / "x.pyro"
    read, write = os.pipe()
    os.close(read)
    words = [tool(), "run", "--no-report", "--json", "-", "-o", capture, "--python", one_python.path, "-c", "pass"]
    done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"pyrometer: cannot write JSON to standard output\n")
    assert report_of(capture).processes


@pytest.mark.parametrize("code", ["pass", "import os; os._exit(0)"])
def test_a_run_of_a_few_milliseconds(tmp_path, python, code):
    """Shorter than the collector's own pace: the process is there all the same, with its exit code."""
    capture = tmp_path / "x.pyro"
    for _ in range(3):
        done = run("-o", capture, python.path, "-I", "-S", "-c", code)
        assert (done.returncode, done.stdout, messages(done)) == (0, b"", [])
        assert [process.data["exit"]["code"] for process in report_of(capture).processes] == [0]


@pytest.fixture
def little_memory():
    """A command that starts another one with this much room in /dev/shm."""
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        pytest.skip("may not mount a disk of its own")
    return lambda size: ["unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size={size} none /dev/shm && exec "$@"', "sh"]


def test_no_room_for_children(tmp_path, one_python, little_memory):
    """The children run unprofiled, and the report counts them."""
    script = tmp_path / "program.py"
    script.write_text(
        "import os\n"
        "(end, start), pids = os.pipe(), []\n"
        "for i in range(60):\n"
        "    pids.append(os.fork())\n"
        "    if pids[-1] == 0:\n"
        "        os.close(start)\n"
        "        os.read(end, 1)\n"
        "        os._exit(i)\n"
        "os.close(start)\n"
        "print(sum(os.waitpid(pid, 0)[1] >> 8 for pid in pids))\n"
    )
    capture = tmp_path / "x.pyro"
    done = run("-o", capture, "--python", one_python.path, script, launcher=little_memory("40m"))
    assert (done.returncode, done.stdout, messages(done)) == (0, b"1770\n", [])
    report = report_of(capture)
    missing = report.loss("processes_not_recorded")
    assert missing > 10 and len(report.processes) + missing == 61


def test_no_room_at_all(tmp_path, one_python, small_disk, little_memory):
    words = ["-o", tmp_path / "x.pyro", one_python.path, "-c", "print('done')"]
    done = run(*words, launcher=little_memory("300k"), env={**os.environ, "TMPDIR": str(small_disk)})
    assert (done.returncode, done.stdout) == (0, b"done\n")
    assert messages(done) == ["pyrometer: no profile: no room in the spool directory"]
