# SPDX-License-Identifier: Apache-2.0
"""Profiles in formats made of JSON, by the tools that write them, and pyrometer's own exports read again."""

import collections
import csv
import gzip
import json
import shutil

import consumers
import pytest
from exported import Exports, totals_of
from imported_rows import ImportedRows
from pyrometer_tool import pyrometer

PROGRAM = '''
import threading, time

def burn():
    return sum(i * i for i in range(300_000))

def hold():
    return [bytearray(1 << 20) for _ in range(30)]

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def work():
    burn()
    fib(10)
    time.sleep(0.05)

thread = threading.Thread(target=work, name="worker")
thread.start()
kept = hold()
work()
thread.join()
'''

RENDERINGS = ["self_samples", "self_wall_ns", "total_wall_ns", "self_gil_wait_ns", "self_live_at_peak_bytes", "total_allocated_bytes"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tools")
    (folder / "program.py").write_text(PROGRAM)
    return folder


def run(folder, *words):
    consumers.run(*words, cwd=folder)


def tool(folder, module, *words):
    run(folder, consumers.profilers(), "-m", module, *words)


# Our own exports


def test_speedscope_comes_back(exports, totals):
    assert totals_of(Exports(exports.path("speedscope"))) == totals


def test_lines_of_speedscope_come_back(exports):
    ours, again = ImportedRows(exports.capture), ImportedRows(exports.path("speedscope"))

    def python(rows):
        return {(row["file"], row["function"], row["line"]): [row[name] for name in RENDERINGS] for row in rows if row["kind"] == "python"}

    assert python(again.lines) == python(ours.lines)


def test_cpuprofile_comes_back(exports, totals):
    again = ImportedRows(exports.path("cpuprofile"))
    assert again.sum("self_wall_ns") == totals["cpu"] // 1000 * 1000
    ours = ImportedRows(exports.capture).of_function("burn", "total_cpu_ns")
    assert abs(again.of_function("burn", "total_wall_ns") - ours) < 2_000_000  # each sample is rounded


def test_heapprofile_comes_back(exports, totals):
    again = ImportedRows(exports.path("heapprofile", "--threads"))
    assert again.sum("self_live_at_peak_bytes") == totals["live_at_peak"]


def test_chrome_comes_back(exports):
    again = ImportedRows(exports.path("chrome"))
    assert again.sum("self_wall_ns") == time_of_threads(json.loads(exports.text("chrome"))["traceEvents"])
    assert again.of_line("program.py", 7, "total_wall_ns") > 0


def time_of_threads(events):
    """Nanoseconds in which anything ran, of each thread."""
    stretches = collections.defaultdict(list)
    open_calls = collections.defaultdict(list)
    for event in events:
        thread = (event["pid"], event.get("tid"))
        if event["ph"] == "X":
            stretches[thread].append((event["ts"], event["ts"] + event["dur"]))
        elif event["ph"] == "B":
            open_calls[thread].append(event["ts"])
        elif event["ph"] == "E":
            stretches[thread].append((open_calls[thread].pop(), event["ts"]))
    total = 0
    for mine in stretches.values():
        end = 0
        for begin, until in sorted(mine):
            total += max(0, round((until - max(begin, end)) * 1000))
            end = max(end, until)
    return total


# Other tools


@pytest.mark.parametrize("packed", [False, True])
def test_viztracer(folder, packed):
    path = folder / "viztracer.json"
    tool(folder, "viztracer", "-o", path, "--ignore_c_function", "program.py")
    events = json.loads(path.read_text())["traceEvents"]
    if packed:
        with gzip.open(folder / "viztracer.json.gz", "wb") as out:
            out.write(path.read_bytes())
        path = folder / "viztracer.json.gz"
    imported = ImportedRows(path)
    calls = [event for event in events if event["ph"] == "X"]
    assert abs(imported.sum("self_wall_ns") - time_of_threads(events)) <= len(calls)  # doubles against decimals
    burn = [call["dur"] for call in calls if call["name"].startswith("burn (")]
    assert len(burn) == 2
    assert abs(imported.of_function("burn", "total_wall_ns") - 1000 * sum(burn)) <= 4
    assert [row["line"] for row in imported.lines if row["function"] == "fib"] == ["10"]


def test_py_spy(folder):
    path = folder / "py-spy.json"
    run(folder, consumers.profilers().parent / "py-spy", "record", "-r", "200", "-f", "speedscope", "-o", path, "--", consumers.profilers(), "program.py")
    profiles = json.loads(path.read_text())["profiles"]
    assert ImportedRows(path).sum("self_wall_ns") == round(1e9 * sum(sum(profile["weights"]) for profile in profiles))


def test_py_spy_chrometrace(folder):
    path = folder / "py-spy-trace.json"
    run(folder, consumers.profilers().parent / "py-spy", "record", "-r", "200", "-f", "chrometrace", "-o", path, "--", consumers.profilers(), "program.py")
    events = json.loads(path.read_text())
    if not events:
        pytest.skip("py-spy has seen nothing of a program that it had just started")
    assert ImportedRows(path).sum("self_wall_ns") == time_of_threads(events)


def test_pyinstrument_json(folder):
    path = folder / "pyinstrument.json"
    tool(folder, "pyinstrument", "-r", "json", "-o", path, "program.py")
    root = json.loads(path.read_text())["root_frame"]
    imported = ImportedRows(path)
    assert imported.sum("self_wall_ns") == pytest.approx(1e9 * root["time"], abs=1e5)
    burn = [call for call in calls_of(root) if call["function"] == "burn"]
    assert imported.of_function("burn", "total_wall_ns") == pytest.approx(1e9 * sum(call["time"] for call in burn), abs=1e5)


def calls_of(frame):
    yield frame
    for child in frame["children"]:
        yield from calls_of(child)


def test_pyinstrument_speedscope(folder):
    path = folder / "pyinstrument.speedscope.json"
    tool(folder, "pyinstrument", "-r", "speedscope", "-o", path, "program.py")
    (profile,) = json.loads(path.read_text())["profiles"]
    times = [event["at"] for event in profile["events"]]
    assert ImportedRows(path).sum("self_wall_ns") == pytest.approx(1e9 * (times[-1] - times[0]), abs=10)


@pytest.mark.parametrize("kind", ["csv", "gprof2dot", "speedscope"])
def test_memray(folder, kind):
    recording, rows, path = folder / "memray.bin", folder / "rows.csv", folder / f"memray.{kind}"
    if not recording.exists():
        tool(folder, "memray", "run", "-q", "-o", recording, "program.py")
    tool(folder, "memray", "transform", "-f", "-o", rows, "csv", recording)
    tool(folder, "memray", "transform", "-f", "-o", path, kind, recording)
    with open(rows, newline="") as lines:
        allocations = list(csv.DictReader(lines))
    imported = ImportedRows(path)
    assert imported.sum("self_live_at_peak_bytes") == bytes_of_memray(path, kind)
    held = sum(int(row["size"]) for row in allocations if "hold;" in row["stack_trace"])
    assert held > 30 << 20
    assert imported.of_function("hold", "total_live_at_peak_bytes") == held


def bytes_of_memray(path, kind):
    if kind == "csv":
        with open(path, newline="") as lines:
            return sum(int(row["size"]) for row in csv.DictReader(lines))
    file = json.loads(path.read_text())
    if kind == "gprof2dot":
        return sum(event["cost"][0] for event in file["events"])
    return sum(sum(profile["weights"]) for profile in file["profiles"] if profile["unit"] == "bytes")


def test_scalene(folder):
    path = folder / "scalene.json"
    (folder / "longer.py").write_text("def burn():\n    for i in range(6_000_000):\n        i * i\n\nburn()\nkept = bytearray(80 << 20)\n")
    tool(folder, "scalene", "run", "-o", path, "longer.py")
    profile = json.loads(path.read_text())
    lines = [line for file in profile["files"].values() for line in file["lines"]]
    imported = ImportedRows(path)
    for column, name in (("python", "n_cpu_percent_python"), ("native", "n_cpu_percent_c"), ("other_wait", "n_sys_percent")):
        expected = sum(line[name] for line in lines) / 100 * profile["elapsed_time_sec"] * 1e9
        assert imported.sum(f"self_{column}_ns") == pytest.approx(expected, abs=len(lines))
    expected = sum(line["n_malloc_mb"] for line in lines) * (1 << 20)
    assert imported.sum("self_allocated_bytes") == pytest.approx(expected, abs=len(lines))
    assert {row["function"] for row in imported.lines} <= {"burn", "<module>"}


NODE_PROGRAM = """
const kept = (globalThis.kept = []);
function burn() { let t = 0; for (let i = 0; i < 3e7; i++) t += i % 7; return t; }
function hold() { for (let i = 0; i < 2e5; i++) kept.push({ i, text: "x" + i }); }
burn(); hold();
process.on("exit", () => kept.length);
"""


@pytest.fixture
def node(folder):
    (folder / "program.js").write_text(NODE_PROGRAM)
    return shutil.which("node") or pytest.skip("no node on this machine")


def test_cpuprofile_of_node(folder, node):
    run(folder, node, "--cpu-prof", "--cpu-prof-name=node.cpuprofile", "program.js")
    profile = json.loads((folder / "node.cpuprofile").read_text())
    now, end = profile["startTime"], profile["startTime"] + profile["timeDeltas"][0]
    total = 0
    for at in [*profile["timeDeltas"][1:], None]:
        now = end if now == profile["startTime"] else now
        end = profile["endTime"] if at is None else end + at
        total += max(0, end - now)
        now = max(now, end)
    imported = ImportedRows(folder / "node.cpuprofile")
    assert imported.sum("self_wall_ns") == 1000 * total
    assert imported.of_function("burn", "self_wall_ns") > 0


def test_heapprofile_of_node(folder, node):
    run(folder, node, "--heap-prof", "--heap-prof-interval=4096", "--heap-prof-name=node.heapprofile", "program.js")
    left, total = [json.loads((folder / "node.heapprofile").read_text())["head"]], 0
    while left:
        frame = left.pop()
        total += frame["selfSize"]
        left += frame["children"]
    imported = ImportedRows(folder / "node.heapprofile")
    assert imported.sum("self_live_at_peak_bytes") == total
    assert imported.of_function("hold", "self_live_at_peak_bytes") > 0


# What the command says


def test_errors_are_one_line(tmp_path):
    for name, text in (("cut.json", '{"traceEvents": [{"ph": "X", "na'), ("empty.json", '{"traceEvents": []}')):
        (tmp_path / name).write_text(text)
        done = pyrometer("report", tmp_path / name)
        assert done.returncode != 0
        assert len(done.stderr.strip().splitlines()) == 1 and name.encode() in done.stderr
