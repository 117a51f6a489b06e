# SPDX-License-Identifier: Apache-2.0
"""tests/corpus/make_intervals.py: the file is what it writes."""

import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "corpus" / "make_intervals.py"


def test_the_intervals_of_the_corpus_are_those_of_their_definitions():
    subprocess.run([sys.executable, SCRIPT, "--check"], check=True)
