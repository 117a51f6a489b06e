# SPDX-License-Identifier: Apache-2.0
"""Counts of the JUnit files that ctest, gtest, pytest and our own scripts write; and writing one."""

import pathlib
import xml.etree.ElementTree

from stage_runner import Counts


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


def count_gtest(ctest_file, gtest_folder):
    """The counts of the gtest cases in all programs that ctest started."""
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


def write_junit(path, verdicts):
    """`verdicts`: pairs of a name and whether it passed."""
    suite = xml.etree.ElementTree.Element("testsuite")
    for name, passed in verdicts:
        case = xml.etree.ElementTree.SubElement(suite, "testcase", name=name)
        if not passed:
            xml.etree.ElementTree.SubElement(case, "failure")
    pathlib.Path(path).write_bytes(xml.etree.ElementTree.tostring(suite))
