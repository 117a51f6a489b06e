# SPDX-License-Identifier: Apache-2.0
"""What the program sees and leaves behind, byte by byte as without us."""

import os
import shutil
import subprocess
import zipfile

import pytest
from pyrometer_tool import TARGETS, bare, profile, pyrometer

FACTS = TARGETS / "facts.py"
FAULT = TARGETS / "fault.py"


@pytest.fixture
def folder(tmp_path):
    """A folder with facts.py as script, module, package, zip application and link."""
    shutil.copy(FACTS, tmp_path / "script.py")
    (tmp_path / "link.py").symlink_to("script.py")
    (tmp_path / "sub").mkdir()
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    shutil.copy(FACTS, package / "__main__.py")
    with zipfile.ZipFile(tmp_path / "app.pyz", "w") as archive:
        archive.write(FACTS, "__main__.py")
    return tmp_path


def visible(process):
    return process.returncode, process.stdout, process.stderr


def compare(words, python, folder, **options):
    expected = bare(words, python.path, cwd=folder, **options)
    profiled = profile(words, python.path, cwd=folder, **options).process
    assert expected.stdout, expected.stderr
    # Line by line first: a difference is then easy to read.
    assert profiled.stdout.splitlines() == expected.stdout.splitlines()
    assert visible(profiled) == visible(expected)


@pytest.mark.parametrize(
    "words",
    [
        ["script.py"],
        ["script.py", "-m", "--json", "x y", "", "\udcff\u00e9"],
        ["./sub/../script.py", "-o", "out"],
        ["link.py"],
        ["-m", "script", "-r", "5"],
        ["-m", "package"],
        ["package"],
        ["app.pyz"],
        ["-c", "import runpy, sys; print(sys.argv); runpy.run_path('script.py', run_name='__main__')", "a", "-b"],
    ],
    ids=["script", "arguments", "relative", "link", "module", "package", "folder", "zip", "code"],
)
def test_every_way_to_name_a_program(python, folder, words):
    compare(words, python, folder)


def test_absolute_path_from_another_folder(python, folder):
    compare([folder / "script.py"], python, folder / "sub")


def test_standard_input(python, folder):
    compare(["script.py"], python, folder, input=bytes(range(256)) * 1000)


def test_closed_standard_streams(python, folder):
    script = folder / "closed.py"
    script.write_text("import sys, os\nopen('seen', 'w').write(repr([sys.stdin, os.listdir('/proc/self/fd')[:-1]]))\n")
    seen = []
    for run in (bare, profile):
        run(script, python.path, cwd=folder, stdin=None, preexec_fn=lambda: os.close(0))
        seen.append((folder / "seen").read_text())
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    "name, value",
    [
        ("LD_PRELOAD", "libc.so.6"),
        ("PYTHONPATH", "/nowhere:sub"),
        ("PYTHONUNBUFFERED", "1"),
        ("PYTHONHASHSEED", "7"),
        ("EMPTY", ""),
        ("ODD", "a;b=c\n\udcfe"),
    ],
)
def test_environment(python, folder, name, value):
    compare(["script.py"], python, folder, env={**os.environ, name: value})


def test_empty_environment(python, folder):
    compare(["script.py"], python, folder, env={})


def test_environment_of_children(python, folder):
    words = ["-c", "import subprocess, sys; sys.exit(subprocess.call(['env', '-0']))"]
    compare(words, python, folder)


@pytest.mark.parametrize("end", ["return", "exit", "exit-text", "raise", "os-exit", "term", "kill", "segfault"])
def test_ends(python, end):
    compare([FAULT, end, 0.05], python, TARGETS)


def test_traceback_of_a_syntax_error(python, folder):
    (folder / "broken.py").write_text("x = (\n")
    expected = bare("broken.py", python.path, cwd=folder)
    assert visible(profile("broken.py", python.path, cwd=folder).process) == visible(expected)


def test_output_that_nobody_reads(python, folder):
    """A closed pipe kills `yes | head` style programs in the same way."""
    script = folder / "yes.py"
    script.write_text("while True: print('y')\n")
    codes = []
    for run in (bare, profile):
        reader, writer = os.pipe()
        os.close(reader)
        done = run(script, python.path, stdout=writer, stderr=subprocess.DEVNULL, cwd=folder)
        codes.append(getattr(done, "process", done).returncode)
        os.close(writer)
    assert codes[0] == codes[1]


def test_working_folder_gets_no_files(one_python, folder):
    before = set(os.listdir(folder))
    pyrometer("run", "--python", one_python.path, "script.py", cwd=folder)
    assert set(os.listdir(folder)) == before
