# SPDX-License-Identifier: Apache-2.0
"""Work inside numpy is native time of the line that asked for it."""

from pyrometer_tool import marks
from report_json import ON_CPU
from sessions import PROGRAMS, same_as_bare

SCRIPT = PROGRAMS / "numpy_lines.py"


def test_numpy(recent_python, tmp_path):
    session = same_as_bare([SCRIPT, 30], recent_python, tmp_path)
    session.assert_right(SCRIPT)
    for mark, activities in {"sort": ("native", "kernel"), "add": ("native", "kernel"), "loop": ("python",)}.items():
        cells = session.report.process.lines(SCRIPT, marks(SCRIPT)[mark])
        assert cells.seconds(*activities) > 0.8 * cells.seconds(*ON_CPU), mark
