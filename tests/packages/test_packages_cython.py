# SPDX-License-Identifier: Apache-2.0
"""Cython code that was built with line directives has the time of its own lines."""

import shutil
import subprocess

import pytest
from pyrometer_tool import marks
from report_json import ON_CPU
from sessions import PROGRAMS, same_as_bare

SOURCE = PROGRAMS / "cython_lines.pyx"
QUERY = "import sysconfig as s; print(s.get_path('include')); print(s.get_config_var('EXT_SUFFIX'))"


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    return done.stdout.decode()


@pytest.fixture
def compiled(python, tmp_path):
    """A folder with the module, built as the guide says, and its source."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    include, suffix = run(python.path, "-c", QUERY).split()
    folder = tmp_path / "module"
    folder.mkdir()
    shutil.copy(SOURCE, folder)
    run(python.path, "-m", "cython", "--line-directives", SOURCE.name, cwd=folder)
    output = f"{SOURCE.stem}{suffix}"
    run("gcc", "-g", "-O2", "-shared", "-fPIC", f"-I{include}", f"{SOURCE.stem}.c", "-o", output, cwd=folder)
    return folder


def test_cython_lines(python, compiled, tmp_path):
    source = compiled / SOURCE.name
    session = same_as_bare([PROGRAMS / "cython_session.py", compiled, 12], python, tmp_path, ["--cpu-only"])
    session.assert_right(source)
    process = session.report.process
    for mark, numbers in marks(source).items():
        cells = process.lines(source, numbers)
        assert cells.seconds("native", "kernel") > 0.95 * cells.seconds(*ON_CPU), mark
    assert {"main", "objects", "Sum.add"} <= set(process.function_names(source))
    (file,) = [file for file in process.data["files"] if file["path"] == str(source)]
    texts = {line["line"]: line["source"] for line in file["lines"]}
    lines = source.read_text().splitlines()
    assert all(texts[number].strip() == lines[number - 1].strip() for number in texts), texts
