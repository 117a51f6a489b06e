# SPDX-License-Identifier: Apache-2.0
"""pprof files, read by Go's pprof."""

import re
import subprocess

import consumers
import pytest
from exported import MEMORY, TIMES


@pytest.fixture(scope="module")
def pprof(exports, long_run):
    program = consumers.pprof(long_run)

    def run(*options):
        words = [program, "-symbolize=none", *options, exports.path("pprof")]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_sums_of_all_types(pprof, totals):
    raw = pprof("-raw")
    header = re.search(r"^Samples:\n(.*)$", raw, re.M).group(1).split()
    types = [name.split("/")[0] for name in header]
    assert types == ["samples", *TIMES, *MEMORY]
    sums = dict.fromkeys(types, 0)
    for row in re.findall(r"^\s*((?:\d+\s+)+\d+):", raw.split("Locations")[0], re.M):
        for name, value in zip(types, row.split()):
            sums[name] += int(value)
    assert sums == {name: totals[name] for name in types}


def test_lines_are_kept(pprof):
    assert re.search(r"burn .*program\.py:7\b", pprof("-top", "-lines", "-sample_index=cpu"))


def test_labels(pprof):
    tags = pprof("-tags", "-sample_index=cpu")
    assert re.search(r"^ *thread:", tags, re.M) and "worker" in tags
    assert re.search(r"^ *task:", tags, re.M)


def test_native_modules(pprof):
    mappings = pprof("-raw").split("Mappings")[1]
    assert re.search(r"python|libc", mappings)
    assert not re.search(r"program\.py", mappings)
