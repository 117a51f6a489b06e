# SPDX-License-Identifier: Apache-2.0
"""uv starts the user's program, and before that asks interpreters what they are: that is not the user's."""

import os

import pytest
from burned import BURN, Burned
from package_environment import package_folder
from pyrometer_tool import TARGETS, pyrometer, read_report
from report_json import ON_CPU


@pytest.mark.long
def test_uv_run(recent_python, tmp_path):
    uv = package_folder(recent_python, "uv") / "bin" / "uv"
    script, report_file, burned = tmp_path / "program.py", tmp_path / "report.json", tmp_path / "burned"
    script.write_text(BURN + "burn(0.5)\n")
    options = ["--json", report_file, "--no-report", "-o", tmp_path / "capture.pyro"]
    # A cache of its own: what uv has once asked, it remembers there.
    environment = {**os.environ, "BURNED": str(burned), "UV_CACHE_DIR": str(tmp_path / "cache")}
    command = [uv, "run", "--offline", "--no-project", "--no-config", "--python", recent_python.path, script]
    done = pyrometer("run", *options, *command, env=environment)
    assert done.returncode == 0, done.stderr
    report = read_report(report_file)
    assert any("get_interpreter_info" in word for process in report.processes for word in process.data["command"])
    own = {file["path"] for file in report.merged.data["files"] if file["in_scope"]}
    # The program, and perhaps what it burns with.
    assert {str(script)} <= own <= {str(script), str(TARGETS / "burning.py")}
    cells = report.merged.function(script, "burn")
    assert not Burned(burned).wrong(cells, report), cells.seconds(*ON_CPU)
