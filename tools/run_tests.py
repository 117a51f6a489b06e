# SPDX-License-Identifier: Apache-2.0
"""Runs the stages of ./test one after another and sums up what they report.

A stage is a child process with a log and a time limit. Its counts come from the
JUnit files that ctest, gtest and pytest write, never from scraping their text.
"""

import argparse
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
RESULTS = ROOT / "build" / "test-results"
CHECKS = {
    "layers": ["tools/check_layers"],
    "files": ["tools/check_files"],
    "layout": ["tools/check_layout"],
    "symbols": ["tools/check_symbols", "build/release/lib/libpyrometer_agent.so"],
}
# Suites to which it does not matter what else the machine does: they share it.
PARALLEL = {"cpython", "hostile", "integration"}
WORKERS = 2
PYTEST_NOTHING_COLLECTED = 5
CHECK_SKIPPED = 77
STAGE_LIMIT_SECONDS = 600
LONG_STAGE_LIMIT_SECONDS = 4 * 3600
SHOWN_LOG_LINES = 150


@dataclasses.dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
        )

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    @property
    def total(self):
        return self.passed + self.failed + self.skipped


def count_junit(path):
    """The counts of one JUnit file, or None when there is no readable one."""
    try:
        tree = xml.etree.ElementTree.parse(path)
    except (OSError, xml.etree.ElementTree.ParseError):
        return None
    counts = Counts()
    for case in tree.iter("testcase"):
        status = case.get("result") or case.get("status") or "run"
        if case.find("failure") is not None or case.find("error") is not None or status == "fail":
            counts.failed += 1
        elif case.find("skipped") is not None or status in ("skipped", "suppressed", "notrun", "disabled"):
            counts.skipped += 1
        else:
            counts.passed += 1
    return counts


class Stage:
    """One child process. `count` turns its exit code into Counts."""

    def __init__(self, name, command, count, environment=None):
        self.name = name
        self.command = command
        self.count = count
        self.environment = environment or {}
        self.log = RESULTS / f"{name}.log"

    def run(self, limit_seconds):
        """Returns (counts, seconds); shows the log when something failed."""
        started = time.monotonic()
        with open(self.log, "wb") as log:
            child = subprocess.Popen(
                [str(part) for part in self.command],
                cwd=ROOT,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            timed_out = self._wait(child, started, limit_seconds)
        counts = self.count(child.returncode)
        if timed_out:
            counts.failed += 1
        elif child.returncode not in (0, CHECK_SKIPPED) and counts.failed == 0 and counts.total > 0:
            counts.failed += 1  # every case passed and the process still failed: a leak, a crash at exit
        seconds = time.monotonic() - started
        print("\r\033[K" if sys.stdout.isatty() else "", end="")
        print(f"  {self.name:<14}{counts!s:<42}{seconds:7.1f} s", flush=True)
        if counts.failed:
            self._show_log(timed_out, limit_seconds)
        return counts, seconds

    def _wait(self, child, started, limit_seconds):
        try:
            while True:
                try:
                    child.wait(timeout=0.5)
                    return False
                except subprocess.TimeoutExpired:
                    elapsed = time.monotonic() - started
                    if sys.stdout.isatty():
                        print(f"\r  {self.name:<14}running {elapsed:4.0f} s", end="", flush=True)
                    if elapsed > limit_seconds:
                        return True
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()

    def _show_log(self, timed_out, limit_seconds):
        lines = self.log.read_text(errors="replace").splitlines()
        for line in lines[-SHOWN_LOG_LINES:]:
            print("    " + line)
        if timed_out:
            print(f"    (stopped after {limit_seconds} s)")
        if len(lines) > SHOWN_LOG_LINES:
            print(f"    (all of it: {self.log.relative_to(ROOT)})")


def check_stage(name):
    """A script whose exit code is its verdict: counts as one test."""

    def count(code):
        return Counts(skipped=1) if code == CHECK_SKIPPED else Counts(passed=1) if code == 0 else Counts(failed=1)

    return Stage(name, [sys.executable, *CHECKS[name]], count)


def unit_stage(pattern):
    """All gtest programs, through ctest; each gtest case counts."""
    ctest_file = RESULTS / "ctest.xml"
    gtest_folder = RESULTS / "gtest"
    shutil.rmtree(gtest_folder, ignore_errors=True)

    def count(code):
        try:
            programs = xml.etree.ElementTree.parse(ctest_file).iter("testcase")
        except (OSError, xml.etree.ElementTree.ParseError):
            return Counts(failed=1)
        counts = Counts()
        for program in programs:
            cases = count_junit(gtest_folder / f"{program.get('name')}_test.xml")
            failed = program.find("failure") is not None or program.get("status") == "fail"
            if cases is None:
                cases = Counts(failed=1) if failed else Counts(passed=1)
            elif failed and not cases.failed:
                cases.failed += 1
            counts += cases
        return counts

    command = ["ctest", "--test-dir", BUILD, "--output-on-failure", "--output-junit", ctest_file]
    command += ["--timeout", "300", "-j2"]
    if pattern:
        command += ["-R", pattern]
    return Stage("unit", command, count, {"GTEST_OUTPUT": f"xml:{gtest_folder}/"})


def viewer_stage():
    """The tests of the viewer, in node and in a browser."""
    junit = RESULTS / "viewer.xml"
    return Stage("viewer", ["tools/test_viewer", junit], lambda code: count_junit(junit) or Counts(failed=1))


def pytest_stage(name, target, pattern, long):
    junit = RESULTS / f"{name}.xml"

    def count(code):
        if code == PYTEST_NOTHING_COLLECTED:
            return Counts()
        return count_junit(junit) or Counts(failed=1)

    command = [sys.executable, "-m", "pytest", "-q", "-rfEs", "--tb=short", f"--junitxml={junit}", target]
    if name in PARALLEL:
        command += ["-n", WORKERS]
    if pattern:
        command += ["-k", pattern]
    if long:
        command += ["--long"]
    return Stage(name, command, count)


def suites():
    """Every folder of tests/ that holds pytest files. The quick ones come first."""
    found = sorted({path.parent for path in (ROOT / "tests").glob("*/test_*.py")})
    return sorted(found, key=lambda folder: (folder.name != "tools", folder.name == "packaging"))


def stages(filter_, long):
    """The stages that `filter_` selects: a stage, a path, or a part of test names."""
    folders = {folder.name: folder for folder in suites()}
    if filter_ and "/" in filter_ and (ROOT / filter_.split("::")[0]).exists():
        return [pytest_stage("pytest", filter_, None, long)]
    if filter_ in CHECKS:
        return [check_stage(filter_)]
    if filter_ == "unit":
        return [unit_stage(None)]
    if filter_ == "viewer":
        return [viewer_stage()]
    if filter_ in folders:
        return [pytest_stage(filter_, folders[filter_], None, long)]
    checks = [] if filter_ else [check_stage(name) for name in CHECKS]
    viewer = [] if filter_ else [viewer_stage()]
    return [
        *checks,
        unit_stage(filter_),
        *viewer,
        *(pytest_stage(name, folder, filter_, long) for name, folder in folders.items()),
    ]


def main():
    parser = argparse.ArgumentParser(prog="./test", description="Builds and runs all tests.")
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    parser.add_argument(
        "filter",
        nargs="?",
        help="a stage (%s, unit, viewer, a folder of tests/), a path, or a part of test names" % ", ".join(CHECKS),
    )
    arguments = parser.parse_args()
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    limit = LONG_STAGE_LIMIT_SECONDS if arguments.long else STAGE_LIMIT_SECONDS
    total, seconds = Counts(), 0.0
    for stage in stages(arguments.filter, arguments.long):
        counts, took = stage.run(limit)
        total += counts
        seconds += took
    if total.total == 0:
        print(f"nothing matches {arguments.filter!r}")
    print(f"  {'all':<14}{'':<42}{seconds:7.1f} s")
    print(total)
    return 1 if total.failed or total.total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
