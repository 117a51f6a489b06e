# SPDX-License-Identifier: Apache-2.0
"""What the options of `run` and `report` show and record."""

import os
import re

import pytest
from burned import Burned
from pyrometer_tool import TARGETS, expect_success, marks, profile, pyrometer, read_report, stacks
from report_json import ON_CPU

TWO_FILES = TARGETS / "two_files.py"
HELPER = TARGETS / "two_files_helper.py"
PART = 0.5


@pytest.fixture(scope="module")
def recorded(one_python, tmp_path_factory):
    """(capture file, report of the run itself, what the program says about itself)"""
    folder = tmp_path_factory.mktemp("capture")
    capture, file = folder / "two.pyro", folder / "burned"
    environment = {**os.environ, "BURNED": str(file)}
    profiled = expect_success(profile([TWO_FILES, PART], one_python.path, capture=capture, env=environment))
    return capture, profiled.report, Burned(file)


def printed(*words, **environment):
    done = pyrometer("report", *words, env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200", **environment})
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def reported(recorded, tmp_path, *options):
    target = tmp_path / "again.json"
    done = pyrometer("report", recorded[0], "--json", target, *options)
    assert done.returncode == 0, done.stderr
    return read_report(target)


def test_report_again_gives_the_same_json(recorded, tmp_path):
    assert reported(recorded, tmp_path).data == recorded[1].data


def test_run_prints_what_report_prints_again(one_python, tmp_path):
    capture = tmp_path / "x.pyro"
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
    done = pyrometer("run", "-o", capture, "--python", one_python.path, TWO_FILES, 0.2, env=environment)
    assert done.returncode == 0
    text = (done.stdout + done.stderr).decode()
    assert text.startswith("done\n")
    table = [line for line in printed(capture).splitlines() if "mark: " in line]
    assert table and [line for line in table if line not in text] == []


def test_console_report_shows_hot_lines_with_source(recorded):
    text = printed(recorded[0])
    assert "two_files.py" in text and "two_files_helper.py" in text
    assert [line for line in text.splitlines() if "# mark: own" in line]
    assert "encoder.encode(data)" in text and "own" in text


def test_piped_report_is_plain_and_fits(recorded):
    text = printed(recorded[0], COLUMNS="80")
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_library_time_is_on_the_line_that_called_it(recorded):
    cells = recorded[1].process.lines(TWO_FILES, marks(TWO_FILES)["library"])
    assert not recorded[2].wrong(cells, recorded[1], "library")


def test_all_shows_library_lines_too(recorded, tmp_path):
    default, everything = printed(recorded[0]), printed(recorded[0], "--all")
    assert not re.search(r"json/encoder\.py:?$", default, re.M)
    assert "encoder.py" in everything
    report = reported(recorded, tmp_path, "--all")
    assert recorded[2].wrong(report.process.lines(TWO_FILES, marks(TWO_FILES)["library"]), report, "library")


def test_reduced_hides_lines_below_one_percent(recorded):
    full, reduced = printed(recorded[0]), printed(recorded[0], "--reduced")
    assert len(reduced.splitlines()) < len(full.splitlines())
    assert "# mark: own" in reduced


def test_only_and_exclude_choose_files(recorded, tmp_path):
    assert "# mark: other" in printed(recorded[0], "--only", "two_files_helper")
    assert "# mark: own" not in printed(recorded[0], "--only", "two_files_helper")
    assert "# mark: other" not in printed(recorded[0], "--exclude", "two_files_helper")
    assert "# mark: own" in printed(recorded[0], "--exclude", "two_files_helper")
    whole = recorded[1].process.totals.seconds(*ON_CPU)
    assert reported(recorded, tmp_path, "--only", "helper").process.totals.seconds(*ON_CPU) == pytest.approx(whole)


def test_duration_ends_the_recording_not_the_program(one_python):
    profiled = expect_success(profile([TWO_FILES, PART], one_python.path, ["-d", "0.6"]))
    assert profiled.process.stdout == b"done\n"
    totals = profiled.report.process.totals
    assert totals.seconds(*ON_CPU) < 0.9
    assert totals.seconds(*ON_CPU, "run_queue") > 0.3
    assert profiled.report.process.function(TWO_FILES, "library").seconds() == 0


def test_off_records_nothing(one_python):
    profiled = expect_success(profile([TWO_FILES, 0.2], one_python.path, ["--off"]))
    assert profiled.process.stdout == b"done\n"
    assert profiled.report.process.totals.samples() == 0


def test_report_without_a_file_is_that_of_the_last_run(one_python, tmp_path):
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "200"}
    done = pyrometer("run", "--no-report", "--python", one_python.path, TWO_FILES, 0.2, env=environment)
    again = pyrometer("report", env=environment)
    assert (done.returncode, done.stderr, again.returncode) == (0, b"", 0)
    assert b"# mark: own" in again.stdout


def test_rate_is_respected(one_python):
    slow, fast = (
        expect_success(profile([TWO_FILES, PART], one_python.path, ["--cpu-only", *options])).report.process.totals
        for options in (["-r", "20"], ["--clock", "perf", "-r", "2000"])
    )
    assert slow.samples(*ON_CPU) < 1.6 * 20 * slow.seconds(*ON_CPU)
    # Each in user code; perf leaves the kernel's time to the ticks.
    assert fast.samples("python", "native") > 0.6 * 2000 * fast.seconds("python", "native")


def test_stacks_add_up_to_the_samples(recorded):
    rows = stacks(recorded[0])
    assert sum(count for count, _ in rows) == recorded[1].merged.totals.samples()
    assert any("own (" in frame and "two_files.py:" in frame for _, frames in rows for frame in frames)


def test_sums_of_the_json_agree(recorded):
    process = recorded[1].process
    for path in (TWO_FILES, HELPER):
        lines = process.lines(path, process.line_numbers(path)).seconds()
        functions = sum(process.function(path, name, "scoped").seconds() for name in process.function_names(path))
        assert lines > 0 and lines == pytest.approx(functions, abs=1e-6)


def test_intervals_hold_the_value(recorded):
    cells = recorded[1].process.lines(TWO_FILES, marks(TWO_FILES)["own"])
    low, high = cells.interval("python")
    assert 0 <= low < cells.seconds("python") < high
    # 19 of 20 times the truth is inside; twice as far from the middle, always.
    (truth,) = recorded[2].stretches(mark="own")
    assert abs(truth - cells.seconds("python")) < 2.3 * max(high - cells.seconds("python"), cells.seconds("python") - low)


def clock_is_read_in_vdso():
    """Else its code only calls the kernel, and next to none of the time is spent in it."""
    with open("/proc/self/maps") as maps:
        if "[vdso]" not in maps.read():
            return False
    try:
        with open("/sys/devices/system/clocksource/clocksource0/current_clocksource") as source:
            return source.read().strip() in ("tsc", "kvm-clock", "arch_sys_counter")
    except OSError:
        return False


def test_code_of_the_kernel_in_the_process_has_names(one_python):
    code = "import time\nend = time.process_time() + 0.4\nwhile time.process_time() < end:\n for _ in range(999): time.perf_counter()"
    report = expect_success(profile(["-c", code], one_python.path, ["--cpu-only"])).report
    functions = [native for native in report.data["merged"]["native_functions"] if "vdso" in native["module"]]
    if not functions and not clock_is_read_in_vdso():
        pytest.skip("this kernel has no vdso, or does not read its clock there")
    assert functions and [native for native in functions if "clock_gettime" not in native["name"]] == []
