# SPDX-License-Identifier: Apache-2.0
import os
import tempfile

import pytest
import pythons
from ledger import Ledger
from matrix import AS_USER, matrix

LONG_FACTOR = 5
LEDGER = "PYROMETER_LEDGER"
TELLS_LEDGER = "tells the ledger"


class Session:
    """What is a property of all runs, a bias and how often a test needs a second run: whoever has started the processes
    that made the runs judges it, and fails."""

    def __init__(self):
        self._passed = 0
        self.lines = []

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed and (TELLS_LEDGER, True) in report.user_properties:
            self._passed += 1

    def pytest_sessionfinish(self, session):
        ledger = Ledger(os.environ[LEDGER])
        wrong = [f"BIASED {line}" for line in ledger.biased()]
        wrong += [f"TOO OFTEN {line}" for line in ledger.too_often_retried()]
        if ledger.tests < self._passed:
            wrong.append(f"SILENT: {self._passed} tests passed, the ledger knows {ledger.tests}")
        self.lines = [*ledger.lines(), *ledger.retry_lines(), *wrong]
        os.unlink(os.environ[LEDGER])
        if wrong:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        if self.lines:
            terminalreporter.section("accuracy: share in the profile minus true share")
            for line in self.lines:
                terminalreporter.line(line)


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        handle, os.environ[LEDGER] = tempfile.mkstemp(prefix="pyrometer-ledger-")
        os.close(handle)
        config.pluginmanager.register(Session())


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


@pytest.fixture
def ledger(request):
    request.node.user_properties.append((TELLS_LEDGER, True))
    return Ledger(os.environ[LEDGER])
