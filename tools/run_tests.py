# SPDX-License-Identifier: Apache-2.0
"""The stages of ./test: what each runs and how its counts are found. stage_runner.py runs them.

Counts come from the JUnit files that ctest, gtest and pytest write, never from scraping their text.
"""

import argparse
import pathlib
import shutil
import sys
import time
import xml.etree.ElementTree

from stage_runner import CHECK_SKIPPED, SLOTS, Console, Counts, Stage, run

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
RESULTS = ROOT / "build" / "test-results"
CHECKS = {
    "layers": ["tools/check_layers"],
    "files": ["tools/check_files"],
    "layout": ["tools/check_layout"],
    "symbols": ["tools/check_symbols", "build/release/lib/libpyrometer_agent.so"],
    "symbols_time": ["tools/check_symbols", "build/release/lib/libpyrometer_agent_time.so", "--exports", "src/agent/exports_time.map"],
}
# What is installed for tests, so that nobody waits for it in the middle of them.
SETUPS = ["tests/package_environment.py", "tests/exchange/consumers.py"]
# Suites of many small tests, which have the machine for themselves and share it. Other stages run beside each other.
PARALLEL = {"accuracy", "cpython", "hostile", "integration"}
WORKERS = 2  # of such a suite
PYTEST_NOTHING_COLLECTED = 5
# A stage that says nothing for so long is stuck; a slow machine only takes longer.
SILENCE_LIMIT_SECONDS = 1800
LONG_SILENCE_LIMIT_SECONDS = 4 * 3600


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


def stage(name, command, count, **options):
    return Stage(name, command, count, RESULTS / f"{name}.log", **options)


def check_stage(name):
    """A script whose exit code is its verdict: counts as one test."""

    def count(code):
        return Counts(skipped=1) if code == CHECK_SKIPPED else Counts(passed=1) if code == 0 else Counts(failed=1)

    return stage(name, [sys.executable, *CHECKS[name]], count)


def setup_stage(script):
    """Makes what tests need. What cannot be had is no failure of its script: tests that need it are skipped, and say why."""
    return stage(pathlib.Path(script).stem, [sys.executable, "-u", script], lambda code: Counts(failed=1) if code else Counts())


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
    command += ["--timeout", "1200", "-j2"]
    if pattern:
        command += ["-R", pattern]
    return stage("unit", command, count, environment={"GTEST_OUTPUT": f"xml:{gtest_folder}/"})


def viewer_stage():
    """The tests of the viewer, in node and in a browser."""
    junit = RESULTS / "viewer.xml"
    return stage("viewer", ["tools/test_viewer", junit], lambda code: count_junit(junit) or Counts(failed=1))


def pytest_stage(name, target, pattern, long):
    junit = RESULTS / f"{name}.xml"

    def count(code):
        if code == PYTEST_NOTHING_COLLECTED:
            return Counts()
        return count_junit(junit) or Counts(failed=1)

    # Unbuffered (-u), so that its log shows how far it is.
    command = [sys.executable, "-u", "-m", "pytest", "-q", "-rfEs", "--tb=short", "--durations=10"]
    command += [f"--junitxml={junit}", target]
    if name in PARALLEL:
        command += ["-n", WORKERS]
    if pattern:
        command += ["-k", pattern]
    if long:
        command += ["--long"]
    return stage(name, command, count, slots=SLOTS if name in PARALLEL else 1)


def suites():
    """Every folder of tests/ that holds pytest files. Those that run beside each other come first, and the quick ones."""
    found = sorted({path.parent for path in (ROOT / "tests").glob("*/test_*.py")})
    return sorted(found, key=lambda folder: (folder.name in PARALLEL, folder.name != "tools"))


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
    # The one that takes longest comes first.
    longest, setups = ([], []) if filter_ else ([viewer_stage()], map(setup_stage, SETUPS))
    return [
        *checks,
        *longest,
        unit_stage(filter_),
        *setups,
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
    limit = LONG_SILENCE_LIMIT_SECONDS if arguments.long else SILENCE_LIMIT_SECONDS
    begun, console = time.monotonic(), Console(sys.stdout)
    total = run(stages(arguments.filter, arguments.long), ROOT, limit, console)
    if total.total == 0:
        console.line(f"nothing matches {arguments.filter!r}")
    console.line(f"  {'all':<14}{'':<42}{time.monotonic() - begun:7.1f} s")
    console.line(str(total))
    return 1 if total.failed or total.total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
