# SPDX-License-Identifier: Apache-2.0
"""Every case of cases.py, profiled and compared with its own truth."""

import json

import pythons
from cases import CASES
from judgement import judge, wrong
from matrix import FAST_WITHOUT_PERF, NO_PERF, PERF
from pyrometer_tool import expect_success, profile


def run(case, python, setting, duration, truth_file):
    script = [case.path, truth_file, case.seconds * duration, *case.extra]
    profiled = profile(script, python.path, setting.options, setting.launcher)
    report = expect_success(profiled).report
    with open(truth_file) as truth:
        return json.load(truth), report


def test_shares(request, case, python, setting, duration, truth_file, ledger):
    python = python or request.getfixturevalue("reachable_python")
    # What is allowed comes from the statistics of sampling. A machine that stands still for a tenth of a second in the
    # middle of a wait is beyond that; it does not do so twice, and an error of the profile does. The ledger knows how often
    # a second run was needed: an error that comes and goes fails the session.
    for again in (False, True):
        truth, report = run(case, python, setting, duration, truth_file)
        findings = judge(case, truth, report.process, report.unpolled)
        ledger.add(case, f"{python} {setting.name}", findings, again)
        if not wrong(findings):
            return
    raise AssertionError("\n".join(map(str, findings)))


def test_fast_sampling_without_perf_falls_back_to_the_timer(duration, truth_file):
    case = next(case for case in CASES if case.name == "two-lines")
    truth, report = run(case, pythons.split()[0][0], FAST_WITHOUT_PERF, duration, truth_file)
    assert not wrong(judge(case, truth, report.process))
    assert "timer" in report.process.clock


def test_forbidden_perf_is_refused_when_asked_for_by_name():
    process, report = profile(["-c", "print(1)"], options=PERF.options, launcher=NO_PERF.launcher)
    assert (process.returncode, process.stdout, report) == (2, b"", None)
    assert process.stderr.startswith(b"pyrometer: ") and process.stderr.count(b"\n") == 1
