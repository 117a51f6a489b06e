# SPDX-License-Identifier: Apache-2.0
"""The walk inside the process, between single machine instructions."""

import json
import os
import platform
import shutil
import subprocess
import tempfile

import pytest
from interpreters import interpreters
from probe import HERE, TORN, script_for, walk_probe

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="uses the trap flag")


def library():
    return os.path.join(os.path.dirname(walk_probe()), "libwalk_stress.so")


def stress(python, seconds, window, seed):
    """The report of one run; see walk_stress.cc."""
    place = os.path.join(python.root, "tmp") if python.root else None
    with script_for(python, HERE / "stress_target.py") as script:
        with tempfile.TemporaryDirectory(dir=place) as folder:
            lib = python.inside(shutil.copy(library(), folder))
            done = subprocess.run(
                [*python.command, script, lib, str(seconds), str(window), str(seed)],
                capture_output=True,
                timeout=600 + 20 * seconds,
                check=False,
            )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    return json.loads(done.stdout)


# Long windows see whole calls; short ones begin in more places.
@pytest.mark.parametrize("window", (200, 3000))
@pytest.mark.parametrize("python", interpreters(), ids=lambda python: python.name)
def test_no_instant_gives_a_wrong_stack(python, window, long_run):
    check(python, stress(python, seconds=60 if long_run else 2, window=window, seed=window), window)


# Each round of that program has a call whose frame names another caller for a few instructions.
@pytest.mark.parametrize("python", interpreters(), ids=lambda python: python.name)
def test_what_lay_there_before_gives_no_wrong_stack(python, long_run):
    check(python, stress(python, seconds=20 if long_run else 1, window=200, seed="leftovers"), 200)


def check(python, report, window):
    stops = sum(report["outcomes"])
    assert stops > 2 * window
    assert (report["spliced"], report["stale"]) == (0, 0), report
    # 3.11 and 3.12 publish an activation before it is whole; all pop a frame before they unlink it
    # where a generator is made.
    allowed = 0.03 if python.minor in (11, 12) else 0.005
    assert report["outcomes"][TORN] <= allowed * stops + 1, report
    assert report["outcomes"][1] == report["outcomes"][2] == 0, report
