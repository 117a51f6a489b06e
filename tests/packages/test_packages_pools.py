# SPDX-License-Identifier: Apache-2.0
"""CPU of the threads and processes of a pool counts for the line that waits for them."""

import pytest
from judgement import wrong
from package_environment import POOL_REQUIREMENTS, TORCH_REQUIREMENTS, candidates, environment
from sessions import PROGRAMS, same_as_bare

SCRIPT = PROGRAMS / "pools.py"
THREADS = 3  # the caller, and the two of its pool
TWO_THREADS = {
    "OMP_WAIT_POLICY": "passive",  # spinning threads would keep each other from working on a busy machine
    "OPENBLAS_NUM_THREADS": "2",
    "MKL_NUM_THREADS": "2",
    "OMP_NUM_THREADS": "2",
    "NUMBA_NUM_THREADS": "2",
    "POLARS_MAX_THREADS": "2",
}
# Rounds for a second or two of CPU time. How much of it is the workers', the program measures.
POOLS = {
    "mkl": 30,
    "openmp": 60,
    "joblib_threads": 80,
    "loky": 12,
    "numba_parallel": 120,
    "polars": 40,
    "duckdb": 100,
}
TORCH_POOLS = {"torch_products": 30, "torch_elements": 150}


def test_openblas(recent_python, tmp_path):
    check(recent_python, tmp_path, "openblas", 20)


def test_process_pool_executor(recent_python, tmp_path):
    check(recent_python, tmp_path, "executor", 15)


@pytest.mark.long
@pytest.mark.parametrize("python_of_pools", candidates(False), ids=str)
@pytest.mark.parametrize("pool", POOLS)
def test_pool(pool, python_of_pools, tmp_path):
    python = python_of_pools._replace(path=environment(python_of_pools, POOL_REQUIREMENTS))
    check(python, tmp_path, pool, POOLS[pool])


@pytest.mark.long
@pytest.mark.parametrize("python_of_torch", candidates(False)[:1], ids=str)
@pytest.mark.parametrize("pool", TORCH_POOLS)
def test_torch(pool, python_of_torch, tmp_path):
    python = python_of_torch._replace(path=environment(python_of_torch, TORCH_REQUIREMENTS))
    check(python, tmp_path, pool, TORCH_POOLS[pool])


def check(python, folder, pool, rounds):
    session = same_as_bare([SCRIPT, pool, rounds], python, folder, ["--cpu-only"], **TWO_THREADS)
    (file,) = [file for file in session.report.merged.data["files"] if file["path"] == str(SCRIPT)]
    workers = sum(line["worker_seconds"]["scoped"] for line in file["lines"])
    findings = session.burned.judge_merged(SCRIPT, session.report, THREADS)
    findings.append(session.burned.judge_workers("pool", workers, SCRIPT, session.report))
    assert not wrong(findings), "\n".join(map(str, findings))
