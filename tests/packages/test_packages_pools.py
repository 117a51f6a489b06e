# SPDX-License-Identifier: Apache-2.0
"""CPU of the threads and processes of a pool counts for the line that waits for them."""

import pytest
from judgement import wrong
from package_environment import POOL_REQUIREMENTS, candidates, environment
from sessions import PROGRAMS, same_as_bare

SCRIPT = PROGRAMS / "pools.py"
THREADS = 3  # the caller, and the two of its pool
TWO_THREADS = {
    "OMP_WAIT_POLICY": "passive",  # spinning threads would keep each other from working on a busy machine
    "OPENBLAS_NUM_THREADS": "2",
    "OMP_NUM_THREADS": "2",
    "NUMBA_NUM_THREADS": "2",
    "POLARS_MAX_THREADS": "2",
}
# Rounds for a second or two of CPU time, and the least share of it that is the workers'.
POOLS = {
    "openmp": (60, 0.3),
    "joblib_threads": (80, 0.9),
    "loky": (12, 0.9),
    "numba_parallel": (120, 0.3),
    "polars": (40, 0.5),
    "duckdb": (100, 0.3),
}


def test_openblas(recent_python, tmp_path):
    check(recent_python, tmp_path, "openblas", 20, 0.3)


def test_process_pool_executor(recent_python, tmp_path):
    check(recent_python, tmp_path, "executor", 15, 0.9)


@pytest.mark.long
@pytest.mark.parametrize("python_of_pools", candidates(False), ids=str)
@pytest.mark.parametrize("pool", POOLS)
def test_pool(pool, python_of_pools, tmp_path):
    python = python_of_pools._replace(path=environment(python_of_pools, POOL_REQUIREMENTS))
    check(python, tmp_path, pool, *POOLS[pool])


def check(python, folder, pool, rounds, least):
    session = same_as_bare([SCRIPT, pool, rounds], python, folder, ["--cpu-only"], **TWO_THREADS)
    findings = session.burned.judge_merged(SCRIPT, session.report, THREADS)
    assert not wrong(findings), "\n".join(map(str, findings))
    (file,) = [file for file in session.report.merged.data["files"] if file["path"] == str(SCRIPT)]
    workers = sum(line["worker_seconds"]["scoped"] for line in file["lines"])
    burned = sum(session.burned.stretches(mark="pool"))
    assert least * burned < workers < 1.1 * burned, (workers, burned)
