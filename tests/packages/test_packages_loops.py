# SPDX-License-Identifier: Apache-2.0
"""Event loops of others: work is on the lines that did it, waiting where the loop waits."""

from report_json import WAITS
from sessions import PROGRAMS, same_as_bare

LOOPS = 200_000
# What the programs sleep at their end, when nothing else is to be done.
SLEEP = 0.5


def most_of_it(process):
    """What must be found of the sleep. The first look at a wait comes up to 50 ms after its beginning, and as much later as a
    busy machine keeps everybody waiting: what was before may be elsewhere."""
    return 0.95 * SLEEP - 0.05 - process.totals.seconds("run_queue")


def waited(process, path, function):
    return process.function(path, function, "self").seconds(*WAITS)


def test_gevent(python, tmp_path):
    script = PROGRAMS / "gevent_server.py"
    session = same_as_bare([script, 8, LOOPS], python, tmp_path, ["--all"])
    session.assert_right(script)
    process = session.report.process
    (hub,) = [path for path in process.paths if path.endswith("gevent/hub.py")]
    (run,) = process.function_names(hub) & {"run", "Hub.run"}
    assert waited(process, hub, run) > most_of_it(process)
    # The greenlets' own lines do not wait, but for short times on a busy machine: the hub does it for them.
    lines = process.lines(script, process.line_numbers(script), "self")
    assert lines.seconds(*WAITS) < 0.5 * SLEEP


def test_eventlet(python, tmp_path):
    script = PROGRAMS / "eventlet_server.py"
    session = same_as_bare([script, 8, LOOPS], python, tmp_path, ["--all"])
    session.assert_right(script)
    process = session.report.process
    hubs = [path for path in process.paths if "/eventlet/hubs/" in path]
    assert sum(process.lines(hub, process.line_numbers(hub), "self").seconds(*WAITS) for hub in hubs) > most_of_it(process)
    lines = process.lines(script, process.line_numbers(script), "self")
    assert lines.seconds(*WAITS) < 0.5 * SLEEP


def test_sqlalchemy_asyncio(python, tmp_path):
    """What the library does in a greenlet counts for the line that awaits it, and for the task."""
    script = PROGRAMS / "sqlalchemy_asyncio.py"
    session = same_as_bare([script, 12, 3000], python, tmp_path)
    session.assert_right(script)
    measured = sum(session.burned.stretches())
    assert sum(task["cpu_seconds"] for task in session.report.data["tasks"]) > 0.9 * measured


def test_uvloop(recent_python, tmp_path):
    script = PROGRAMS / "uvloop_tasks.py"
    session = same_as_bare([script, "{folder}/socket", 20, LOOPS], recent_python, tmp_path)
    session.assert_right(script)
    (line,) = [n for n, text in enumerate(script.read_text().splitlines(), 1) if text.startswith("asyncio.run(")]
    process = session.report.process
    assert process.lines(script, {line}).seconds(*WAITS) > most_of_it(process)
    places = {entry["place"]["path"] for entry in session.report.data["awaits"]}
    assert str(script) in places, "uvloop runs asyncio's own tasks"
