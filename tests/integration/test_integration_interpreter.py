# SPDX-License-Identifier: Apache-2.0
"""What the report says about the interpreter's own business: the GIL, garbage collection, imports."""

import pytest
import pythons
from burned import BURN
from pyrometer_tool import expect_success, profile
from report_json import ON_CPU, Cells


@pytest.fixture
def write(tmp_path):
    def write(text, name="program.py"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_who_waits_for_whom(write, one_python):
    script = write(
        "import threading\n"
        "def spin():\n"
        "    x = 0\n"
        "    for i in range(6000000): x = (x * 31 + i) & 0xFFFF\n"
        "threads = [threading.Thread(target=spin) for _ in range(2)]\n"
        "for t in threads: t.start()\n"
        "for t in threads: t.join()\n"
    )
    report = expect_success(profile(script, one_python.path)).report
    rows = report.data["gil_waits"]
    total = report.process.totals.seconds("gil_wait")
    assert sum(row["seconds"] for row in rows) == pytest.approx(total, abs=1e-6)
    workers = {thread["tid"] for thread in report.process.data["threads"] if not thread["main"]}
    between = [
        row["seconds"]
        for row in rows
        if row["holder"] and {row["waiter"]["tid"], row["holder"]["tid"]} == workers
    ]
    # Two threads that only run Python: whoever waits, waits for the other.
    assert total > 0.2 * report.process.totals.seconds(*ON_CPU) and sum(between) > 0.8 * total


@pytest.mark.parametrize("each", pythons.found(), ids=str)
def test_the_end_of_a_loop_counts_for_its_first_line(write, each):
    """Compilers of 3.10 to 3.12 give no line to a jump back that several lines lead to."""
    far = "".join(f"        total += {i}\n" for i in range(80))  # an argument of more than a byte
    script = write(
        "def loop(values):\n"
        "    total = 0\n"
        "    for value in values:\n"
        "        if value & 1:\n"
        "            total += 1\n"
        "    return total\n"
        "def long_loop(values):\n"
        "    total = 0\n"
        "    for value in values:\n"
        f"{far}"
        "        if value & 1:\n"
        "            total += 1\n"
        "    return total\n"
        "loop(range(6000000))\n"
        "long_loop(range(60000))\n"
        "import time; time.sleep(0.1)\n"  # pyrometer looks at the code while it is there
    )
    process = expect_success(profile(script, each.path)).report.process
    assert process.lines(str(script), {3}).seconds() > 0
    assert process.lines(str(script), {0, None}).seconds() == 0


def test_garbage_collection_has_its_own_time(write, python):
    script = write(
        "import gc, time\n"
        "class Node: pass\n"
        "kept = []\n"
        "for i in range(60000):\n"
        "    a, b = Node(), Node()\n"
        "    a.b, b.a = b, a\n"
        "    kept.append(a)\n"
        "def collecting():\n"
        "    gc.collect()\n"
        "end = time.process_time() + 0.6\n"
        "while time.process_time() < end: collecting()\n"
        "def computing():\n"
        "    x = 0\n"
        "    for i in range(100000): x = (x * 31 + i) & 0xFFFF\n"
        "end = time.process_time() + 0.6\n"
        "while time.process_time() < end: computing()\n"
    )
    process = expect_success(profile(script, python.path)).report.process
    functions = {f["name"]: f for file in process.data["files"] for f in file["functions"]}
    collecting = process.function(script, "collecting").seconds(*ON_CPU)
    if not process.names_its_collector():
        pytest.skip("this interpreter has no symbols for its collector")
    assert functions["collecting"]["gc_seconds"] == pytest.approx(collecting, rel=0.1)
    assert functions["computing"]["gc_seconds"] < 0.05
    assert process.data["gc_seconds"] >= functions["collecting"]["gc_seconds"]


def test_imports_are_grouped_by_what_was_asked_for(write, python, burned):
    write(BURN + "burn(0.3, 'imported')\n", "inner_module.py")
    outer = write("import inner_module\n" + BURN + "burn(0.2, 'imported')\n", "outer_module.py")
    script = write("import outer_module\n" + BURN + "burn(0.3, 'own')\n")
    report = expect_success(profile(script, python.path)).report
    process = report.process
    rows = {row["path"]: row for row in process.data["imports"]}
    assert len(burned().stretches(mark="imported")) == 2
    assert not burned().wrong(Cells(rows[str(outer)]["totals"]), report, "imported")
    assert not any(path and "inner_module" in path for path in rows)
    assert process.data["import_seconds"] == pytest.approx(sum(row["seconds"] for row in rows.values()), abs=1e-6)


def test_threads_have_the_names_that_the_program_gave_them(write, python):
    script = write(
        "import threading\n"
        "def spin():\n"
        "    x = 0\n"
        "    for i in range(2000000): x = (x * 31 + i) & 0xFFFF\n"
        "threads = [threading.Thread(target=spin, name=f'wörker-{i}') for i in range(3)]\n"
        "for t in threads: t.start()\n"
        "for t in threads: t.join()\n"
    )
    process = expect_success(profile(script, python.path)).report.process
    assert {thread["name"] for thread in process.data["threads"]} == {"MainThread", *(f"wörker-{i}" for i in range(3))}
