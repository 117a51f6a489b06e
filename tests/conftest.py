# SPDX-License-Identifier: Apache-2.0
"""What all Python test suites share: the --long option and the `long` marker.

pytest puts this folder on sys.path, so the helpers beside this file
(interpreters.py, pyrometer_tool.py) are imported by their plain names.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile

import pytest

TURNS = "PYROMETER_TURNS"


def pytest_addoption(parser):
    parser.addoption(
        "--long",
        action="store_true",
        help="also run what takes minutes: whole matrices, a million samples",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "long: runs only with --long")
    config.addinivalue_line("markers", "alone: no other test of this run runs meanwhile; for what fills the machine")
    if not hasattr(config, "workerinput"):
        os.environ[TURNS] = tempfile.mkdtemp(prefix="pyrometer-turns-")
    # A shell starts what runs in the background with these ignored, and programs inherit that.
    for number in (signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="needs --long")
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(skip)


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ[TURNS], ignore_errors=True)


@contextlib.contextmanager
def locked(name, how):
    with open(os.path.join(os.environ[TURNS], name), "w") as file:
        fcntl.flock(file, how)
        yield


@pytest.fixture(autouse=True)
def turn(request):
    """Tests share the machine, but for those that are to be alone. Who waits for that holds the door, so that it empties."""
    alone = request.node.get_closest_marker("alone") is not None
    with contextlib.ExitStack() as inside:
        with locked("door", fcntl.LOCK_EX):
            inside.enter_context(locked("machine", fcntl.LOCK_EX if alone else fcntl.LOCK_SH))
        yield


@pytest.fixture
def burned(tmp_path, monkeypatch):
    """Called, what the programs of this test say about the CPU time that they used (targets/burning.py)."""
    from burned import Burned

    file = tmp_path / "burned"
    monkeypatch.setenv("BURNED", str(file))
    return lambda: Burned(file)


@pytest.fixture(scope="session")
def long_run(request):
    """Whether the whole matrix was asked for."""
    return request.config.getoption("--long")
