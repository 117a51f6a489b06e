# SPDX-License-Identifier: Apache-2.0
"""The generated tables are what the headers on this machine say."""

import subprocess
import sys

from interpreters import interpreters
from probe import HERE

import pytest

GENERATOR = HERE.parent.parent / "tools" / "gen_layouts.py"


@pytest.mark.skipif(not any(p.has_headers for p in interpreters()), reason="no CPython headers")
def test_generated_tables_are_current():
    done = subprocess.run(
        [sys.executable, str(GENERATOR), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
