# SPDX-License-Identifier: Apache-2.0
import os
import tempfile

import pytest
import pythons
from ledger import Ledger
from matrix import AS_USER, matrix

LONG_FACTOR = 5
LEDGER = "PYROMETER_LEDGER"


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        handle, os.environ[LEDGER] = tempfile.mkstemp(prefix="pyrometer-ledger-")
        os.close(handle)


def pytest_sessionfinish(session):
    """A bias is a property of all runs: whoever has started the processes that made them judges it, and fails."""
    if hasattr(session.config, "workerinput"):
        return
    ledger = Ledger(os.environ[LEDGER])
    session.config.ledger_lines = [*ledger.lines(), *(f"BIASED {line}" for line in ledger.biased())]
    if ledger.biased():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    os.unlink(os.environ[LEDGER])


def pytest_generate_tests(metafunc):
    if {"case", "python", "setting"} <= set(metafunc.fixturenames):
        rows = list(matrix(metafunc.config.getoption("--long")))
        ids = [f"{case}-{python or 'reachable'}-{setting.name}" for case, python, setting in rows]
        metafunc.parametrize("case, python, setting", rows, ids=ids)


@pytest.fixture(scope="session")
def duration(long_run):
    """Factor for the length of each run."""
    return LONG_FACTOR if long_run else 1


@pytest.fixture(scope="session")
def reachable_python():
    """An interpreter that an ordinary user may run: one in root's home is not."""
    if os.getuid() != 0:
        pytest.skip("the whole suite already runs as an ordinary user")
    return pythons.usable_by(AS_USER.launcher, pythons.found()) or pytest.skip("no interpreter outside root's home")


@pytest.fixture
def truth_file():
    # Not below pytest's own folder, which only its user may enter.
    with tempfile.TemporaryDirectory(prefix="pyrometer-truth-") as folder:
        os.chmod(folder, 0o777)
        yield os.path.join(folder, "truth.json")


@pytest.fixture(scope="session")
def ledger():
    return Ledger(os.environ[LEDGER])


def pytest_terminal_summary(terminalreporter, config):
    lines = getattr(config, "ledger_lines", [])
    if lines:
        terminalreporter.section("accuracy: share in the profile minus true share")
        for line in lines:
            terminalreporter.line(line)
