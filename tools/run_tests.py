# SPDX-License-Identifier: Apache-2.0
"""The stages of ./test: what each runs and how its counts are found. stage_runner.py runs them.

Counts come from the JUnit files that ctest, gtest and pytest write, never from scraping their text.
"""

import argparse
import pathlib
import shutil
import sys
import time

from junit_counts import count_gtest, count_junit
from stage_runner import CHECK_SKIPPED, SLOTS, Console, Counts, Stage, run

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
RESULTS = ROOT / "build" / "test-results"
CHECKS = {
    "layers": ["tools/check_layers"],
    "viewer_layers": ["tools/check_viewer_layers"],
    "files": ["tools/check_files"],
    "layout": ["tools/check_layout"],
    "titles": ["tools/check_titles"],
    "symbols": ["tools/check_symbols", "build/release/lib/libpyrometer_agent.so"],
    "symbols_time": ["tools/check_symbols", "build/release/lib/libpyrometer_agent_time.so", "--exports", "src/agent/exports_time.map"],
}
# What is installed for tests, so that nobody waits for it in the middle of them.
SETUPS = ["tests/package_environment.py", "tests/exchange/consumers.py"]
# Suites of many small tests, which have the machine for themselves and share it. Other stages run beside each other.
PARALLEL = {"accuracy", "cpython", "hostile", "integration"}
WORKERS = 2  # of such a suite
PYTEST_NOTHING_COLLECTED = 5
# What --long builds beside the release, and its compiler: the unit tests of each run.
OTHER_BUILDS = {"asan": "g++", "tsan": "g++", "clang": "clang++-19"}
LONG_STAGES = (*OTHER_BUILDS, "tidy", "fuzz")
FUZZ_SECONDS = 60  # for each target
# A stage that says nothing for so long is stuck; a slow machine only takes longer.
SILENCE_LIMIT_SECONDS = 1800
LONG_SILENCE_LIMIT_SECONDS = 4 * 3600


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


def junit_stage(name, command, junit, **options):
    """A program that writes JUnit."""

    def count(code):
        return Counts(skipped=1) if code == CHECK_SKIPPED else count_junit(junit) or Counts(failed=1)

    return stage(name, command, count, **options)


def gtest_stage(name, command_of, **options):
    """gtest programs that ctest starts; each gtest case counts. `command_of` makes a command of the file for ctest's JUnit."""
    ctest_file = RESULTS / f"{name}-ctest.xml"
    gtest_folder = RESULTS / f"{name}-gtest"

    def count(code):
        return Counts(skipped=1) if code == CHECK_SKIPPED else count_gtest(ctest_file, gtest_folder)

    return stage(name, command_of(ctest_file), count, environment={"GTEST_OUTPUT": f"xml:{gtest_folder}/"}, **options)


def unit_stage(pattern):
    def command(junit):
        ctest = ["ctest", "--test-dir", BUILD, "--output-on-failure", "--output-junit", junit, "--timeout", "1200", "-j2"]
        return [*ctest, "-R", pattern] if pattern else ctest

    return gtest_stage("unit", command)


def build_stage(preset):
    """The unit tests of another build."""
    return gtest_stage(preset, lambda junit: ["tools/test_build", preset, OTHER_BUILDS[preset], junit], slots=SLOTS)


def tidy_stage():
    """clang-tidy; each unit of compilation counts."""
    junit = RESULTS / "tidy.xml"
    return junit_stage("tidy", [sys.executable, "-u", "tools/check_tidy", "--junit", junit], junit, slots=SLOTS)


def fuzz_stage(seconds):
    """Each fuzz target for a while; each counts."""
    junit = RESULTS / "fuzz.xml"
    return junit_stage("fuzz", [sys.executable, "-u", "fuzz/run", "--seconds", seconds, "--junit", junit], junit, slots=SLOTS)


def viewer_stage():
    """The tests of the viewer, in node and in a browser."""
    junit = RESULTS / "viewer.xml"
    return junit_stage("viewer", ["tools/test_viewer", junit], junit)


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


def long_stages(fuzz_seconds):
    """What only --long runs, each by itself: a build takes the whole machine."""
    return [*map(build_stage, OTHER_BUILDS), tidy_stage(), fuzz_stage(fuzz_seconds)]


def stages(filter_, long, fuzz_seconds=FUZZ_SECONDS):
    """The stages that `filter_` selects: a stage, a path, or a part of test names."""
    others = {other.name: other for other in long_stages(fuzz_seconds)}
    folders = {folder.name: folder for folder in suites()}
    if filter_ and "/" in filter_ and (ROOT / filter_.split("::")[0]).exists():
        return [pytest_stage("pytest", filter_, None, long)]
    if filter_ in CHECKS:
        return [check_stage(filter_)]
    if filter_ == "unit":
        return [unit_stage(None)]
    if filter_ == "viewer":
        return [viewer_stage()]
    if filter_ in others:
        return [others[filter_]]
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
        *(others.values() if long and not filter_ else ()),
    ]


def say_what_ran(stages, console):
    """Which of the other builds ran, and why others did not."""
    console.line("other builds:")
    for stage in stages:
        console.line(f"  {stage.name:<21}{f'skipped: {stage.reason}' if stage.reason else f'ran: {stage.counts}'}")


def main():
    parser = argparse.ArgumentParser(prog="./test", description="Builds and runs all tests.")
    parser.add_argument("--long", action="store_true", help="also what takes minutes, and other builds")
    parser.add_argument(
        "--fuzz-seconds", type=int, default=FUZZ_SECONDS, help=f"of --long, for each fuzz target ({FUZZ_SECONDS})"
    )
    parser.add_argument(
        "filter",
        nargs="?",
        help="a stage (%s, unit, viewer, %s, tidy, fuzz, a folder of tests/), a path, or a part of test names"
        % (", ".join(CHECKS), ", ".join(OTHER_BUILDS)),
    )
    arguments = parser.parse_args()
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    limit = LONG_SILENCE_LIMIT_SECONDS if arguments.long else SILENCE_LIMIT_SECONDS
    begun, console = time.monotonic(), Console(sys.stdout)
    chosen = stages(arguments.filter, arguments.long, arguments.fuzz_seconds)
    total = run(chosen, ROOT, limit, console)
    if total.total == 0:
        console.line(f"nothing matches {arguments.filter!r}")
    others = [stage for stage in chosen if stage.name in LONG_STAGES]
    if arguments.long and others:
        say_what_ran(others, console)
    console.line(f"  {'all':<14}{'':<42}{time.monotonic() - begun:7.1f} s")
    console.line(str(total))
    return 1 if total.failed or total.total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
