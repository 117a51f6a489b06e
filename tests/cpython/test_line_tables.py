# SPDX-License-Identifier: Apache-2.0
"""Source positions of every instruction of real code, against the interpreter's own."""

import subprocess

import pytest
from interpreters import interpreters
from probe import HERE, script_for, walk_probe


@pytest.mark.parametrize("python", interpreters(), ids=lambda python: python.name)
def test_positions_equal_the_interpreters_own(python, long_run):
    limit = 2_000_000 if long_run else 100_000
    with script_for(python, HERE / "line_table_dump.py") as script:
        dump = subprocess.run(
            [*python.command, "-X", "utf8", "-W", "ignore", script, str(limit)],
            stdout=subprocess.PIPE,
            check=True,
        )
    checked = subprocess.run(
        [walk_probe(), "positions"], input=dump.stdout, stdout=subprocess.PIPE, check=False
    )
    summary = checked.stdout.decode().splitlines()[-1].split()
    assert checked.returncode == 0, checked.stdout.decode()
    assert int(summary[1]) >= limit
