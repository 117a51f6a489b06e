# SPDX-License-Identifier: Apache-2.0
"""Starts outcomes.py on a test module, bare or profiled, and reads what it wrote."""

import os
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OUTCOMES = Path(__file__).resolve().with_name("outcomes.py")
MULTIPROCESSING = "test_multiprocessing_"
# CPython 3.12.1 installs the tests of multiprocessing, but not the three modules that choose a start method.
SUBSTITUTE = """import test._test_multiprocessing as tests
tests.install_tests_in_module_dict(globals(), {method!r})
"""


class Suite:
    """The test package of one interpreter."""

    def __init__(self, python, tool, options, log_folder, limit_seconds):
        self._python, self._tool, self._options = python, tool, list(options)
        self._logs, self._limit = Path(log_folder), limit_seconds

    def has(self, module):
        code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('test.{module}') is None)"
        return subprocess.run([self._python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0

    def names(self, module):
        """What to load for a module, and a file to put beside the tests for it; None when there is nothing."""
        if self.has(module):
            return f"test.{module}", None
        if module.startswith(MULTIPROCESSING) and self.has("_test_multiprocessing"):
            return module, SUBSTITUTE.format(method=module[len(MULTIPROCESSING) :])
        return None

    def both(self, module, tests=()):
        """({test: outcome} bare, {test: outcome} profiled), both at the same time."""
        with ThreadPoolExecutor(2) as pool:
            sides = [pool.submit(self._side, profiled, module, tests) for profiled in (False, True)]
            return [side.result() for side in sides]

    def _side(self, profiled, module, tests):
        name, substitute = self.names(module)
        folder = tempfile.mkdtemp(prefix="suite-")
        result = Path(folder, "outcomes.tsv")
        work = Path(folder, "work")
        work.mkdir()
        if substitute:
            Path(work, module + ".py").write_text(substitute)
        command = [self._python, str(OUTCOMES), str(result), *(tests or [name])]
        if profiled:
            command = [self._tool, "run", "--no-report", *self._options, "-o", f"{folder}/capture.pyro", *command]
        log = self._logs / f"{module}-{'profiled' if profiled else 'bare'}.log"
        with open(log, "a") as file:
            ended = _run(command, work, file, self._limit)
            file.write(f"ended: {ended}\n")
        outcomes = _read(result, ended)
        shutil.rmtree(folder, ignore_errors=True)
        return outcomes


def _run(command, folder, log, limit_seconds):
    """How the command ended, as text."""
    child = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    try:
        return f"status {child.wait(timeout=limit_seconds)}"
    except subprocess.TimeoutExpired:
        return f"no end within {limit_seconds} s"
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def _read(path, ended):
    """The worst outcome of each test. A test without end keeps how the run ended."""
    outcomes = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        word, test = line.split("\t", 1)
        if word == "passed" and outcomes.get(test) not in (None, "started"):
            continue
        if word == "started" and test in outcomes:
            continue
        outcomes[test] = word
    return {test: (f"no outcome, {ended}" if word == "started" else word) for test, word in outcomes.items()}
