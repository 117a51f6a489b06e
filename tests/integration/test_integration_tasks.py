# SPDX-License-Identifier: Apache-2.0
"""asyncio in the report: tasks by name and coroutine, what they await, what holds their loop."""

import pytest
import pythons
from pyrometer_tool import expect_success, profile, pyrometer

PYTHONS = pythons.found() + pythons.foreign()

HELD = """
import asyncio, time

def burn(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

async def short():
    for _ in range(60):
        burn(0.004)
        await asyncio.sleep(0)

async def busy():
    for _ in range(3):
        burn(0.12)
        await asyncio.sleep(0.03)

async def asleep():
    time.sleep(0.15)

def callback():
    burn(0.1)

async def main():
    await short()
    await busy()
    await asleep()
    asyncio.get_running_loop().call_soon(callback)
    await asyncio.sleep(0.3)

asyncio.run(main())
burn(0.3)  # the loop is gone
"""

LOOPS = """
import asyncio, time

async def main():
    end = time.perf_counter() + 0.4
    while time.perf_counter() < end:
        await asyncio.sleep(0)

for _ in range(3):
    asyncio.run(main())
"""

NAMED = """
import asyncio, sys

async def leaf(event):
    await event.wait()

async def job(event):
    await leaf(event)

async def main():
    event = asyncio.Event()
    tasks = [asyncio.ensure_future(job(event)) for _ in range(5)]
    tasks[0].set_name("the first")
    asyncio.get_running_loop().call_later(0.4, event.set)
    await asyncio.gather(*tasks)

asyncio.run(main())
"""

MANY = """
import asyncio, time

waited = []

async def wait(event):
    begin = time.perf_counter()
    await event.wait()
    waited.append(time.perf_counter() - begin)

async def main():
    event = asyncio.Event()
    tasks = [asyncio.ensure_future(wait(event)) for _ in range(1500)]
    asyncio.get_running_loop().call_later(5, event.set)
    await asyncio.gather(*tasks)

asyncio.run(main())
print(sum(waited))
"""


def run(tmp_path, python, text, *options):
    return run_both(tmp_path, python, text, *options)[0]


def run_both(tmp_path, python, text, *options):
    """(the report, what the program printed)"""
    program = tmp_path / "program.py"
    program.write_text(text)
    profiled = expect_success(profile(program, python.path, options, cwd=tmp_path))
    return profiled.report.data, profiled.process.stdout


@pytest.mark.parametrize("interpreter", PYTHONS, ids=str)
def test_what_holds_the_loop(tmp_path, interpreter):
    data = run(tmp_path, interpreter, HELD)
    blocks = {block["place"]["function"]: block for block in data["loop_blocks"]}
    without_cpu = data["merged"]["totals"].get("run_queue", {"seconds": 0})["seconds"]
    assert blocks["asleep"]["count"] == 1
    assert 0.12 < blocks["asleep"]["seconds"] < 0.5 + without_cpu
    assert blocks["burn"]["count"] >= 4
    assert [place["function"] for place in blocks["burn"]["longest"]["stack"]][-1] == "burn"
    assert 3 * 0.1 < blocks["burn"]["seconds"] < 3 + without_cpu
    # Neither short callbacks, unless one of 4 ms had no CPU until it had taken 50, nor what comes after the loop.
    others = sum(block["count"] for block in blocks.values()) - 5
    assert others <= without_cpu / 0.046, blocks


@pytest.mark.parametrize("interpreter", pythons.split()[0], ids=str)
def test_a_loop_in_the_place_of_another(tmp_path, interpreter):
    assert run(tmp_path, interpreter, LOOPS)["loop_blocks"] == []


@pytest.mark.parametrize("interpreter", PYTHONS, ids=str)
def test_tasks_have_names_and_chains(tmp_path, interpreter):
    data = run(tmp_path, interpreter, NAMED)
    tasks = {task["coroutine"]: task for task in data["tasks"]}
    assert tasks["job"]["tasks"] == 5
    assert tasks["main"]["name"] == "Task-1"
    (leaf,) = (await_ for await_ in data["awaits"] if await_["place"]["function"] == "leaf")
    assert leaf["tasks"] == 5 and leaf["awaited"] in ("Event.wait", "wait")
    (chain,) = leaf["chains"]
    assert [place["function"] for place in chain["frames"]][:2] == ["job", "leaf"]
    lines = {
        line["line"]: line for file in data["merged"]["files"] if file["in_scope"] for line in file["lines"]
    }
    assert lines[5]["await_seconds"]["scoped"] == pytest.approx(leaf["await"]["suspended_seconds"], rel=0.2)
    assert lines[8]["await_seconds"]["scoped"] == 0 < lines[8]["await_seconds"]["total"]


def test_of_very_many_tasks_a_share_stands_for_all(tmp_path):
    data, printed = run_both(tmp_path, pythons.split()[0][-1], MANY)
    rows = [await_ for await_ in data["awaits"] if await_["place"]["function"] == "wait"]
    assert max(row["tasks"] for row in rows) < 1500
    seconds = sum(row["await"]["suspended_seconds"] + row["await"]["ready_seconds"] for row in rows)
    # When all tasks begin and end at once, each end is known to half of the time between two looks. There are the fewer
    # looks the more tasks there are, and the busier the machine is.
    looks = sum(row["await"]["samples"] for row in rows) / max(row["tasks"] for row in rows)
    assert seconds == pytest.approx(float(printed), rel=0.1 + 1 / looks)


def test_no_asyncio_no_tables(tmp_path):
    data = run(tmp_path, pythons.split()[0][-1], "import time\ntime.sleep(0.1)\n")
    assert (data["tasks"], data["awaits"], data["loop_blocks"]) == ([], [], [])


def test_the_console_shows_them(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(HELD)
    done = pyrometer("run", "-o", tmp_path / "x.pyro", program, env={"PATH": "/usr/bin:/bin", "COLUMNS": "80"})
    text = done.stderr.decode()
    for heading in ("Tasks", "Awaits", "Event loop held up"):
        assert f"\n{heading}" in text
    assert max(map(len, text.splitlines())) <= 80


MADE = """
import asyncio

async def worker():
    await asyncio.sleep(0.4)

class Plain(asyncio.tasks._PyTask):
    pass

async def plain():
    await asyncio.sleep(0.4)

def make(name):
    return asyncio.get_running_loop().create_task(worker(), name=name)  # made: worker

async def main():
    loop = asyncio.get_running_loop()
    tasks = [make(f"w{i}") for i in range(3)]
    tasks.append(Plain(plain(), loop=loop))  # made: plain
    await asyncio.gather(*tasks)

asyncio.run(main(), debug=DEBUG)
"""


def made_at(python, tmp_path, debug):
    script = tmp_path / "made.py"
    script.write_text(MADE.replace("DEBUG", str(debug)))
    report = expect_success(profile([script], python.path)).report
    return script, {task["coroutine"]: task["made_at"] for task in report.data["tasks"]}


def test_debug_mode_tells_where_tasks_were_made(python, tmp_path):
    script, found = made_at(python, tmp_path, True)
    lines = script.read_text().splitlines()
    for name, function in (("worker", "make"), ("plain", "main")):
        (number,) = [i + 1 for i, line in enumerate(lines) if line.endswith(f"# made: {name}")]
        assert found[name] == {"path": str(script), "function": function, "line": number}


def test_without_debug_mode_nobody_knows_where_tasks_were_made(tmp_path):
    _, found = made_at(PYTHONS[0], tmp_path, False)
    assert found["worker"] is None and found["plain"] is None
