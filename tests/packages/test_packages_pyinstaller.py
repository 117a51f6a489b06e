# SPDX-License-Identifier: Apache-2.0
"""Programs that bring their own Python and load it as a library: in one file, which unpacks itself, and in a folder."""

import subprocess

import pytest
from pyrometer_tool import Profiled, expect_report, pyrometer, read_report
from report_json import ON_CPU
from sessions import PROGRAMS


@pytest.mark.parametrize("kind", ["--onefile", "--onedir"])
def test_pyinstaller(recent_python, tmp_path, kind):
    folders = ["--distpath", tmp_path / "made", "--workpath", tmp_path / "work", "--specpath", tmp_path]
    words = [recent_python.path, "-m", "PyInstaller", "-y", kind, *folders, PROGRAMS / "frozen.py"]
    made = subprocess.run(list(map(str, words)), cwd=tmp_path, capture_output=True, timeout=300)
    if b"shared library" in made.stderr and made.returncode != 0:
        pytest.skip("this Python is no shared library")
    assert made.returncode == 0, made.stderr[-2000:]
    program = tmp_path / "made" / ("frozen" if kind == "--onefile" else "frozen/frozen")
    json_file = tmp_path / "report.json"
    done = pyrometer("run", "--no-report", "--json", json_file, "-o", tmp_path / "capture.pyro", program)
    assert (done.returncode, done.stderr) == (0, b"")
    report = expect_report(Profiled(done, read_report(json_file)))
    # It knows its sources by the names that they had in the folder where it was made.
    (path,) = [path for path in report.merged.paths if path.endswith("frozen.py")]
    burned = report.merged.function(path, "burn").seconds(*ON_CPU)
    assert burned == pytest.approx(float(done.stdout), rel=0.1)
