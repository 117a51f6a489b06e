# SPDX-License-Identifier: Apache-2.0
"""`export`, `run --html` and `view` on real recordings."""

import collections
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse

import pytest
from page_data import PageData, pieces_of_html
from pyrometer_tool import TIMEOUT_SECONDS, pyrometer, tool

PROGRAM = """
import asyncio, threading, time

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(i * i for i in range(1000))

keep = []
def hold():
    keep.append(bytearray(8 << 20))
    keep.extend([str(i) for i in range(200_000)])

async def client(name):
    await asyncio.sleep(0.15)
    burn(0.05)

async def clients():
    await asyncio.gather(*(client(i) for i in range(3)))

thread = threading.Thread(target=burn, args=(0.2,), name="worker </script><script>alert(1)</script>")
thread.start()
hold()
burn(0.2)
time.sleep(0.1)
thread.join()
asyncio.run(clients())
"""
# Names that a careless page would take for something else.
HOSTILE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"\'`', "\u202eevil", "\ue000", "a" * 10_000]
HOSTILE_PROGRAM = f"""
import time
NAMES = {HOSTILE!r}
def work():
    end = time.thread_time() + 0.1
    while time.thread_time() < end:
        pass
for name in NAMES:
    code = work.__code__.replace(co_name=name)
    if hasattr(code, "co_qualname"):
        code = code.replace(co_qualname=name)
    type(work)(code, globals())()
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "program.py").write_text(PROGRAM)
    done = pyrometer("run", "--no-report", "--no-config", "-o", "run.pyro", "--html", "run.html", "program.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "run.pyro"


@pytest.fixture(scope="module")
def report(recording):
    return json.loads(pyrometer("export", recording, "-f", "json").stdout)


@pytest.fixture(scope="module")
def page(recording):
    done = pyrometer("export", recording, "-f", "page-data", "-o", "-")
    assert done.returncode == 0, done.stderr
    return PageData(done.stdout)


ACTIVITIES = ["python", "native", "kernel", "io_wait", "lock_wait", "gil_wait", "sleep", "child_wait", "run_queue", "other_wait"]


def test_times_of_threads_are_those_of_the_report(page, report):
    sums = collections.Counter()
    for thread, activity, weight in zip(page["sample.thread"], page["sample.activity"], page["sample.weight"]):
        sums[page["thread.tid"][thread], ACTIVITIES[activity]] += weight
    expected = {
        (thread["tid"], activity): amount["seconds"]
        for thread in report["merged"]["threads"]
        for activity, amount in thread["totals"].items()
    }
    assert {key: ns / 1e9 for key, ns in sums.items()} == pytest.approx(expected)


def test_samples_are_all_there(page, report):
    totals = report["merged"]["totals"]
    assert sum(page["sample.count"]) == sum(amount["samples"] for amount in totals.values())


def test_memory_is_that_of_the_report(page, report):
    memory = report["merged"]["memory"]
    bytes_of = lambda kinds: sum(amount["bytes"] for amount in kinds.values())
    allocated = sum(b for b, kind in zip(page["change.bytes"], page["change.kind"]) if kind != 3)
    assert allocated == bytes_of(memory["totals"]["allocated"])
    assert sum(page["peak.bytes"]) == bytes_of(memory["totals"]["live_at_peak"])
    assert sum(page["left.bytes"]) == bytes_of(memory["totals"]["live_at_exit"])
    assert max(page["level.rss"]) > 8 << 20
    assert page.meta["page"]["memory"] is True


def test_meta_is_the_report_without_rows(page, report):
    meta = dict(page.meta)
    shown = meta.pop("page")
    facts = set(meta["processes"][0])
    assert facts > {"pid", "interpreter", "exit"} and not facts & {"totals", "threads", "files"}
    report = {**report, "merged": dict(report["merged"])}
    del report["merged"]["files"], report["merged"]["native_functions"]
    report["processes"] = [{name: process[name] for name in facts} for process in report["processes"]]
    # Sentences have their pieces there.
    meta["verdicts"] = [dict(verdict) for verdict in meta["verdicts"]]
    assert all(verdict.pop("pieces") for verdict in meta["verdicts"])
    assert meta == report
    assert shown["title"].endswith("program.py")
    assert page["thread.main"][shown["main_thread"]] == 1
    assert max(page["sample.time"]) <= shown["end_ns"]


def test_stacks_go_from_the_program_to_the_line(page):
    found = {frame for node in set(page["sample.stack"]) for frame in page.stack(node)}
    lines = PROGRAM.splitlines()
    assert ("burn", lines.index("        sum(i * i for i in range(1000))") + 1) in found


def test_files_have_kinds_and_sources(page):
    files = dict(zip(page.texts("file.path"), zip(page["file.kind"], page.texts("file.source"))))
    (own,) = [value for path, value in files.items() if path.endswith("program.py")]
    assert own == (0, PROGRAM)
    assert [kind for path, (kind, _) in files.items() if path.endswith("threading.py")] == [1]
    assert 2 in page["file.kind"]


def test_tasks_run_their_coroutines(page):
    names = page.texts("function.name")
    assert "client" in {names[function] for function in page["task.function"]}
    assert len(page["task.name"]) >= 4


def test_exported_html_is_that_of_the_run(recording, tmp_path):
    of_run = (recording.parent / "run.html").read_text()
    copy = tmp_path / "copy.pyro"
    copy.write_bytes(recording.read_bytes())
    done = pyrometer("export", copy, "-f", "html")
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert done.stderr.decode() == f"pyrometer: written to {tmp_path / 'copy.html'}\n"
    exported = (tmp_path / "copy.html").read_text()
    ours, theirs = pieces_of_html(of_run)["data"], pieces_of_html(exported)["data"]
    assert {name: ours[name] for name in ours.sections if name != "meta"} == {
        name: theirs[name] for name in theirs.sections if name != "meta"
    }


def test_html_has_nothing_of_the_data_in_its_markup(recording):
    html = (recording.parent / "run.html").read_text()
    assert "alert(1)" not in html
    assert html.count("</script") == html.count("<script")


def test_hostile_names_are_texts(tmp_path):
    (tmp_path / "program.py").write_text(HOSTILE_PROGRAM)
    done = pyrometer("run", "--no-report", "-r", "1000", "--html", "out.html", "program.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    html = (tmp_path / "out.html").read_text()
    assert "alert(1)" not in html and "src=x" not in html
    found = set(pieces_of_html(html)["data"].texts("function.name"))
    # The collector cuts names that are absurdly long.
    assert [name for name in HOSTILE if not any(name.startswith(seen) and seen for seen in found)] == []


def test_comparison_has_both(recording, tmp_path):
    done = pyrometer("export", recording, "-f", "html", "--base", recording, "-o", tmp_path / "both.html")
    assert done.returncode == 0, done.stderr
    assert set(pieces_of_html((tmp_path / "both.html").read_text())) == {"data", "base"}


def test_scope_says_whose_files_are(recording, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.pyrometer]\nonly = ["threading.py"]\noutput = "never.pyro"\n')
    done = pyrometer("export", recording, "-f", "page-data", "-o", "x", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = PageData((tmp_path / "x").read_bytes())
    own = [path for path, kind in zip(page.texts("file.path"), page["file.kind"]) if kind == 0]
    assert [os.path.basename(path) for path in own] == ["threading.py"]


def test_text_formats_go_to_standard_output(recording):
    for name in ("json", "stacks"):
        done = pyrometer("export", recording, "-f", name)
        assert done.returncode == 0 and len(done.stdout) > 100 and done.stderr == b""
    assert pyrometer("export", recording, "-f", "stacks").stdout == pyrometer("report", recording, "--format", "stacks").stdout


def refused(done, *mentions):
    text = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b""), text
    assert text.startswith("pyrometer: ") and len(text.splitlines()) == 1, text
    assert [word for word in mentions if word not in text] == [], text


def test_bad_input_is_refused_and_replaces_nothing(recording, tmp_path):
    junk, old = tmp_path / "junk.pyro", tmp_path / "old.html"
    junk.write_text("no capture")
    old.write_text("old")
    capture = recording.read_bytes()
    refused(pyrometer("export", junk, "-f", "html", "-o", old), "junk.pyro")
    refused(pyrometer("export", tmp_path / "missing.pyro", "-f", "html", "-o", old), "missing.pyro")
    refused(pyrometer("export", recording, "-f", "html", "--base", junk, "-o", old), "junk.pyro")
    refused(pyrometer("export", recording, "-f", "pdf"), "pdf")
    refused(pyrometer("export", recording), "--format")
    refused(pyrometer("export", recording, "-f", "json", "--base", recording), "--base")
    refused(pyrometer("export", recording, "-f", "html", "-o", recording), "run.pyro")
    refused(pyrometer("export", recording, "-f", "html", "-o", tmp_path), str(tmp_path))
    refused(pyrometer("export", recording, "-f", "html", "-o", tmp_path / "no" / "where.html"), "where.html")
    refused(pyrometer("run", "--html", tmp_path, "-c", "print('not run')"), str(tmp_path))
    refused(pyrometer("run", "--html", "-", "-c", "print('not run')"), "--html")
    refused(pyrometer("view", junk), "junk.pyro")
    refused(pyrometer("view", tmp_path / "missing.pyro"), "missing.pyro")
    refused(pyrometer("view", recording, "--base", junk), "junk.pyro")
    refused(pyrometer("view", recording, "--port", "70000"), "70000")
    assert old.read_text() == "old"
    assert recording.read_bytes() == capture
    assert sorted(path.name for path in tmp_path.iterdir()) == ["junk.pyro", "old.html"]


def test_a_run_never_replaces_its_own_capture(tmp_path):
    done = pyrometer("run", "--no-report", "-o", "x.pyro", "--html", "x.pyro", "-c", "sum(range(10**6))", cwd=tmp_path)
    assert done.returncode == 0
    assert b"x.pyro is a capture" in done.stderr
    assert pyrometer("report", tmp_path / "x.pyro").returncode == 0


def test_a_full_disk_is_told_and_replaces_nothing(recording):
    done = pyrometer("export", recording, "-f", "page-data", "-o", "/dev/full")
    refused(done, "/dev/full")


class Viewer:
    """`pyrometer view --no-browser`, and a browser's share of the conversation."""

    def __init__(self, *args, **options):
        self.process = subprocess.Popen(
            [tool(), "view", "--no-browser", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )
        self.address = urllib.parse.urlsplit(self.process.stdout.readline().decode().strip())

    def ask(self, name, method="GET", **headers):
        connection = http.client.HTTPConnection(self.address.netloc, timeout=TIMEOUT_SECONDS)
        connection.request(method, self.address.path + name, headers=headers)
        return connection.getresponse()

    def hold(self):
        """What an open page holds; closing it is closing the page."""
        held = socket.create_connection((self.address.hostname, self.address.port), timeout=TIMEOUT_SECONDS)
        request = f"GET {self.address.path}alive HTTP/1.1\r\nHost: {self.address.netloc}\r\n\r\n"
        held.sendall(request.encode())
        assert held.recv(12) == b"HTTP/1.1 200"
        return held

    def end(self):
        out, err = self.process.communicate(timeout=TIMEOUT_SECONDS)
        return self.process.returncode, out, err


@pytest.fixture
def view(request):
    started = []

    def start(*args, **options):
        started.append(Viewer(*args, **options))
        return started[-1]

    yield start
    for viewer in started:
        if viewer.process.poll() is None:
            viewer.process.kill()
        viewer.process.communicate()


SAMPLE_COLUMNS = ("time", "thread", "stack", "activity", "weight", "count", "task")


def test_view_serves_until_the_page_is_closed(recording, view):
    viewer = view(recording)
    assert viewer.address.hostname == "127.0.0.1" and re.fullmatch(r"/[0-9a-f]{32}/", viewer.address.path)
    page = viewer.hold()
    assert b"<!doctype html" in viewer.ask("").read(200).lower()
    first, rest = PageData(viewer.ask("data").read()), PageData(viewer.ask("rest").read())
    exported = PageData(pyrometer("export", recording, "-f", "page-data", "-o", "-").stdout)
    assert first.meta["page"]["rest"] == [f"sample.{name}" for name in SAMPLE_COLUMNS]
    for name in first.meta["page"]["rest"]:
        assert rest[name] == exported[name], name
    for name in ("weight", "count"):
        assert sum(first[f"sum.{name}"]) == sum(exported[f"sample.{name}"])
    assert viewer.ask("base").status == 404
    assert viewer.ask("", Host="evil.example").status == 403
    assert viewer.ask("data", method="POST").status == 405
    page.close()
    assert viewer.end() == (0, b"", b"")


def test_view_for_a_comparison(recording, view):
    viewer = view(recording, "--base", recording)
    assert viewer.address.query == "compare"
    first, rest, base = (PageData(viewer.ask(name).read()) for name in ("data", "rest", "base"))
    assert base.meta["page"]["rest"] == []
    assert base["stack.parent"] == first["stack.parent"]
    assert all(base[f"sample.{name}"] == rest[f"sample.{name}"] for name in SAMPLE_COLUMNS)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_view_ends_by_a_signal(recording, view, number):
    viewer = view(recording)
    assert viewer.ask("").status == 200
    viewer.process.send_signal(number)
    assert viewer.end()[0] == 0


def test_view_of_the_last_run(view, tmp_path):
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    assert pyrometer("run", "--no-report", "-c", "sum(range(10**6))", env=env).returncode == 0
    assert PageData(view(env=env).ask("data").read()).meta["run"]["command"][-1] == "sum(range(10**6))"


def test_a_port_can_be_chosen_and_be_taken(recording, view):
    viewer = view(recording)
    refused(pyrometer("view", "--no-browser", "--port", viewer.address.port, recording), str(viewer.address.port))


def opened_with(recording, tmp_path, **env):
    """How `pyrometer view` ends when the browser is a stand-in that loads and closes the page."""
    return pyrometer("view", recording, env={"PATH": f"{tmp_path}:{os.environ['PATH']}", **env})


@pytest.mark.parametrize("how", ["BROWSER", "desktop"])
def test_view_opens_the_browser(recording, tmp_path, how):
    name = "my-browser" if how == "BROWSER" else "xdg-open"
    (tmp_path / name).write_text(f"""#!{sys.executable}
import sys, urllib.request
url = sys.argv[1]
held = urllib.request.urlopen(url + "alive")
open({str(tmp_path / "page")!r}, "wb").write(urllib.request.urlopen(url).read())
held.close()
""")
    (tmp_path / name).chmod(0o755)
    done = opened_with(recording, tmp_path, **({"BROWSER": name} if how == "BROWSER" else {"DISPLAY": ":0"}))
    assert done.returncode == 0, done.stderr
    assert b"showing the page" in done.stderr
    assert b"<html" in (tmp_path / "page").read_bytes()


def test_without_a_browser_the_address_is_told(recording, tmp_path):
    process = subprocess.Popen(
        [tool(), "view", str(recording)], env={"PATH": os.environ["PATH"], "BROWSER": "no-such-browser"}, stderr=subprocess.PIPE
    )
    try:
        line = process.stderr.readline()
        assert re.match(rb"pyrometer: no browser could be started; please open http://127\.0\.0\.1:\d+/\w+/\n", line)
    finally:
        process.terminate()
        process.communicate()
    assert process.returncode == 0


def test_help_names_everything():
    view, export = (pyrometer("help", name).stdout.decode() for name in ("view", "export"))
    for option in ("--no-browser", "--base", "--port", "--only", "--exclude", "--all"):
        assert option in view
    for word in ("--format", "--output", "--base", "html:", "json:", "stacks:", "page-data:"):
        assert word in export
