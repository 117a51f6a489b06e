# SPDX-License-Identifier: Apache-2.0
"""One line that a pool works for, and one loop of this thread. argv: the pool, rounds."""
import sys
from concurrent.futures import ProcessPoolExecutor

from burning import Burning, BurningTogether


def openblas(rounds):
    import numpy

    a = numpy.random.default_rng(0).random((1200, 1200))
    with BurningTogether("pool"):
        for _ in range(rounds): b = a @ a  # mark: pool
    return b.shape


def mkl(rounds):
    import array
    import ctypes
    import glob

    blas = ctypes.CDLL(glob.glob(sys.prefix + "/lib/libmkl_rt.so.*")[0])
    size, row_major, plain = 1000, 101, 111
    a, b = (array.array("d", [0.5]) * size**2 for _ in range(2))
    left, right = (ctypes.byref((ctypes.c_double * size**2).from_buffer(matrix)) for matrix in (a, b))
    one, none = ctypes.c_double(1), ctypes.c_double(0)
    words = (row_major, plain, plain, size, size, size, one, left, size, left, size, none, right, size)
    with BurningTogether("pool"):
        for _ in range(rounds): blas.cblas_dgemm(*words)  # mark: pool
    return b[0]


def torch_products(rounds):
    import torch

    a = torch.rand(1200, 1200)
    with BurningTogether("pool"):
        for _ in range(rounds): a @ a  # mark: pool


def torch_elements(rounds):
    import torch

    a = torch.rand(1_000_000)
    with BurningTogether("pool"):
        for _ in range(rounds): torch.sin(a)  # mark: pool


def openmp(rounds):
    from sklearn.ensemble import HistGradientBoostingClassifier

    x, y = data()
    with BurningTogether("pool"):
        HistGradientBoostingClassifier(max_iter=rounds, random_state=0).fit(x, y)  # mark: pool


def joblib_threads(rounds):
    from sklearn.ensemble import RandomForestClassifier

    x, y = data()
    with BurningTogether("pool"):
        RandomForestClassifier(rounds, n_jobs=2, random_state=0).fit(x, y)  # mark: pool


def loky(rounds):
    from joblib.externals.loky import get_reusable_executor
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import cross_val_score

    x, y = data()
    with BurningTogether("pool"):
        cross_val_score(RandomForestClassifier(rounds, random_state=0), x, y, cv=4, n_jobs=2)  # mark: pool
        get_reusable_executor().shutdown(wait=True)  # mark: pool


def numba_parallel(rounds):
    import math

    import numba

    @numba.njit(parallel=True)
    def sines(n):
        total = 0.0
        for i in numba.prange(n):
            total += math.sin(i) * math.cos(i)
        return total

    sines(10)
    with BurningTogether("pool"):
        sines(rounds * 1_000_000)  # mark: pool


def polars(rounds):
    import numpy
    import polars

    random = numpy.random.default_rng(0)
    size = rounds * 100_000
    frame = polars.DataFrame({"k": random.integers(0, size // 10, size), "x": random.random(size)})
    column = polars.col("x")
    query = frame.lazy().group_by("k").agg(column.mean(), column.n_unique().alias("n")).sort("k")
    with BurningTogether("pool"):
        query.collect()  # mark: pool


def duckdb(rounds):
    import duckdb

    connection = duckdb.connect(config={"threads": 2})
    table = f"select i % 100000 as k, hash(i) as x from range({rounds * 100_000}) r(i)"
    with BurningTogether("pool"):
        connection.execute(f"select k, avg(x), count(distinct x) from ({table}) group by k").fetchall()  # mark: pool


def executor(rounds):
    with BurningTogether("pool"):
        pool = ProcessPoolExecutor(2)
        list(pool.map(sum, [range(rounds * 1_000_000)] * 4))  # mark: pool
        pool.shutdown()  # mark: pool


def data():
    from sklearn.datasets import make_classification

    return make_classification(8000, 30, n_informative=12, random_state=0)


def main(name, rounds):
    globals()[name](rounds)
    x = 0
    with Burning("loop"):
        for i in range(12_000_000): x = (x * 31 + i) & 0xFFFF  # mark: loop
    print(name, x)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
