# SPDX-License-Identifier: Apache-2.0
"""Which commands can be profiled, and what happens with programs that cannot."""

import os
import shutil
import subprocess

import pytest
from burned import BURN
from pyrometer_tool import TARGETS, pyrometer, read_report
from report_json import ON_CPU

FAULT = TARGETS / "fault.py"
FUTURE_PYTHON = """
#include <stdio.h>
#include <time.h>
const unsigned long Py_Version = 0x036300f0;
char _PyRuntime[65536];
const char *Py_GetVersion(void) { return "3.99.0 (from the future)"; }
int Py_IsInitialized(void) { return 1; }
int main(void) {
  volatile unsigned long x = 0;
  clock_t end = clock() + CLOCKS_PER_SEC / 3;
  while (clock() < end) ++x;
  puts("from the future");
  return 3;
}
"""


def run(*words, **options):
    """(finished process, report or None) of `pyrometer run ... WORDS`, in a folder of its own."""
    folder = options.pop("folder")
    report = folder / "report.json"
    done = pyrometer("run", "--json", report, "--no-report", "-o", folder / "x.pyro", *words, **options)
    return done, read_report(report)


def assert_burned(burned, report, script=FAULT):
    """The whole time of one run of `script` is in its function."""
    assert len(burned().stretches()) == 1
    assert not burned().wrong(report.merged.function(script, "burn"), report)


def test_command_that_ends_in_a_python(one_python, tmp_path, burned):
    for words in (
        [one_python.path, FAULT, "exit", 0.3],
        [one_python.path, "-X", "utf8", FAULT, "exit", 0.3],
        ["env", "COLOUR=red", one_python.path, FAULT, "exit", 0.3],
        ["sh", "-c", 'exec "$0" "$@"', one_python.path, FAULT, "exit", 0.3],
        ["sh", "-c", '"$0" "$@"; exit $?', one_python.path, FAULT, "exit", 0.3],
    ):
        done, report = run(*words, folder=tmp_path)
        assert (done.returncode, done.stdout) == (7, b"worked\n"), words
        assert_burned(burned, report)
        (tmp_path / "burned").unlink()


def test_script_with_interpreter_line(one_python, tmp_path, burned):
    script = tmp_path / "tool"
    script.write_text(f"#!{one_python.path}\nimport sys; sys.path.append({str(TARGETS)!r})\n{FAULT.read_text()}")
    script.chmod(0o755)
    done, report = run(script, "exit", 0.3, folder=tmp_path)
    assert (done.returncode, done.stdout) == (7, b"worked\n")
    assert_burned(burned, report, script)


def test_run_may_be_left_out(one_python, tmp_path, burned):
    report = tmp_path / "report.json"
    done = pyrometer("--python", one_python.path, "--json", report, "--no-report", FAULT, "exit", 0.3, cwd=tmp_path)
    assert_burned(burned, read_report(report))
    short = pyrometer(FAULT, "exit", 0.05, cwd=tmp_path)
    assert done.returncode == short.returncode == 7
    assert short.stdout.startswith(b"worked\n")


def test_chosen_python_is_used(python, tmp_path):
    code = "import sys; print(sys.executable, '%d.%d.%d' % sys.version_info[:3])"
    done, report = run("--python", python.path, "-c", code, folder=tmp_path)
    path, version = done.stdout.decode().split()
    assert os.path.samefile(path, python.path)
    assert version in report.process.interpreter


def one_line_of_ours(done):
    lines = [line for line in done.stderr.splitlines() if line.startswith(b"pyrometer:")]
    assert len(lines) == 1, done.stderr
    return lines[0].decode()


def test_program_without_python_runs_normally(tmp_path):
    done, _ = run("sh", "-c", "echo hi; echo there >&2; exit 5", folder=tmp_path)
    assert (done.returncode, done.stdout) == (5, b"hi\n")
    assert b"there\n" in done.stderr
    assert "python" in one_line_of_ours(done).lower()


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_unknown_interpreter_runs_normally(tmp_path):
    source, program = tmp_path / "future.c", tmp_path / "python3.99"
    source.write_text(FUTURE_PYTHON)
    subprocess.run(["cc", "-O1", "-rdynamic", "-o", program, source], check=True)
    done, _ = run(program, folder=tmp_path)
    assert (done.returncode, done.stdout) == (3, b"from the future\n")
    assert "3.99" in one_line_of_ours(done)


def test_killed_tool_does_not_take_the_capture_with_it(one_python, tmp_path):
    """A capture that was cut off can be read up to the cut."""
    capture = tmp_path / "cut.pyro"
    script = f"{BURN}import signal\nburn(1.5)\nos.kill(os.getppid(), signal.SIGKILL)\nburn(0.2)\n"
    pyrometer("run", "--no-report", "-o", capture, "--python", one_python.path, "-c", script)
    (remains,) = tmp_path.glob("cut.pyro*")
    again = pyrometer("report", remains, "--json", tmp_path / "report.json")
    assert again.returncode == 0, again.stderr
    report = read_report(tmp_path / "report.json")
    # At most the last second may be lost.
    assert report.merged.totals.seconds(*ON_CPU) > 0.4
