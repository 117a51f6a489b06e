# SPDX-License-Identifier: Apache-2.0
"""Names of functions, files and threads are texts in every format, whatever they hold."""

import csv
import gzip
import io
import json
import marshal
import re
import subprocess
import sys
import xml.etree.ElementTree

import consumers
import pytest
from exported import Exports

SVG = "{http://www.w3.org/2000/svg}"
NAMES = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"\'`"); } //',
    "a;b;c 5",
    "two\nlines\r\nfn=(1) x",
    "nul\0after",
    "# comment",
    "{json",
    "=1+1",
    "]]>",
    "\\N\\",
    "(7) number",
    "\u202eright to left",
]
LONG = "a" * 10_000  # a recording keeps the beginning of it
UNREADABLE = "\udcff\ud800"  # no UTF-8
PROGRAM = f"""
import sys, threading, time
NAMES = {NAMES!r} + [{UNREADABLE!r}, {LONG!r}]
held = []
def work():
    end = time.thread_time() + 0.04
    while time.thread_time() < end:
        pass
    held.append(bytearray(3 << 20))
def hostile():
    for name in NAMES:
        code = work.__code__.replace(co_name=name, co_filename="/tmp/" + name)
        if hasattr(code, "co_qualname"):
            code = code.replace(co_qualname=name)
        type(work)(code, globals())()
thread = threading.Thread(target=hostile, name=NAMES[2])
thread.start()
thread.join()
"""


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "program.py").write_text(PROGRAM)
    return Exports.record(folder, sys.executable)


def on_one_line(name):
    return re.sub(r"[\x00-\x1f\x7f]", "_", name)


def has_long(names):
    return any(len(name) > 1000 and LONG.startswith(name[:1000]) for name in names)


LINES = {on_one_line(name) for name in NAMES}


def test_json_formats(exports):
    speedscope = json.loads(exports.text("speedscope"))
    assert set(NAMES) <= {frame["name"] for frame in speedscope["shared"]["frames"]}
    assert has_long(frame["name"] for frame in speedscope["shared"]["frames"])
    cpu = json.loads(exports.text("cpuprofile"))
    assert set(NAMES) <= {node["callFrame"]["functionName"] for node in cpu["nodes"]}
    assert '"selfSize"' in exports.text("heapprofile") and json.loads(exports.text("heapprofile"))["head"]
    chrome = json.loads(exports.text("chrome"))["traceEvents"]
    assert set(NAMES) <= {event["name"] for event in chrome}
    firefox = json.loads(exports.text("firefox"))
    assert set(NAMES) <= set(firefox["shared"]["stringArray"])
    for format_ in ("speedscope", "cpuprofile", "heapprofile", "chrome", "firefox"):
        assert b"<" not in exports.bytes(format_)  # safe inside of a page as well


def test_collapsed(exports):
    lines = exports.text("collapsed", "--functions").split("\n")
    assert lines.pop() == ""
    assert all(re.fullmatch(r"[^#{].* [1-9]\d*", line) for line in lines)
    frames = {frame for line in lines for frame in line.rsplit(" ", 1)[0].split(";")}
    for name in LINES:
        safe = name.replace(";", "_")
        assert any(frame.startswith((f"{safe} (", f"_{safe[1:]} (")) for frame in frames), name
    assert has_long(frames)


def test_callgrind(exports):
    head, _, body = exports.text("callgrind").partition("\n\n")
    assert all(re.fullmatch(r"# callgrind format|[a-z]+: .*|summary:[ \d]+", line) for line in head.split("\n"))
    grammar = r"|(fl|fn|cfi|cfn)=\(\d+\)( .+)?|calls=\d+ \d+|\d+( \d+)+"
    wrong = [line for line in body.split("\n") if not re.fullmatch(grammar, line)]
    assert not wrong
    names = set(re.findall(r"^c?fn=\(\d+\) (.*)$", body, re.M))
    assert LINES <= names and has_long(names)


def test_pstats(exports):
    stats = marshal.loads(exports.bytes("pstats"))
    assert set(NAMES) <= {name for _, _, name in stats} and has_long(name for _, _, name in stats)


def test_dot(exports):
    words = [consumers.command("dot"), "-Tjson", exports.path("dot")]
    graph = json.loads(subprocess.run(words, capture_output=True, timeout=600, check=True).stdout)
    names = [node["name"] for node in graph["objects"]]
    assert all(re.fullmatch(r"f\d+|rest", name) for name in names)
    labels = {node["label"].split("\\n")[0] for node in graph["objects"]}
    assert {"</script><script>alert(1)</script>", "a;b;c 5", "{json"} <= labels


def test_image(exports):
    image = xml.etree.ElementTree.fromstring(exports.bytes("svg", "--functions"))
    assert len(list(image.iter(f"{SVG}script"))) == 1
    assert {element.tag for element in image.iter()} == {SVG + tag for tag in "svg style rect text g title script".split()}
    titles = [title.text for title in image.iter(f"{SVG}title")]
    for name in LINES:
        assert any(title.startswith(f"{name} (") for title in titles), name
    assert has_long(titles)


def test_csv(exports):
    rows = list(csv.reader(io.StringIO(exports.text("csv", "--functions"))))
    assert {len(row) for row in rows} == {len(rows[0])}
    names = {row[2] for row in rows}
    assert {name for name in LINES if name[0] not in "=+-@"} <= names
    assert "'=1+1" in names and has_long(names)


def fields(data):
    """The fields of a protobuf message: (number, value)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        assert key & 7 in (0, 2), key
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            length = varint()
            assert at + length <= len(data)
            yield key >> 3, data[at : at + length]
            at += length


def test_pprof(exports):
    texts = {value.decode("utf-8") for number, value in fields(gzip.decompress(exports.bytes("pprof"))) if number == 6}
    assert set(NAMES) <= texts and has_long(texts)


@pytest.mark.parametrize(
    "format_, read",
    [
        ("otlp", "from opentelemetry.proto.profiles.v1development.profiles_pb2 import ProfilesData as Message"),
        ("perfetto", "from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace as Message"),
    ],
)
def test_protobuf(exports, format_, read):
    show = f"{read}; import json, sys; message = Message(); message.ParseFromString(open(sys.argv[1], 'rb').read())\n"
    show += "if hasattr(message, 'dictionary'):\n    names = list(message.dictionary.string_table)\n"
    show += "else:\n    names = [e.str.decode() for p in message.packet for e in p.interned_data.function_names]\n"
    show += "print(json.dumps(names))"
    words = [str(consumers.python()), "-c", show, str(exports.path(format_))]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert set(NAMES) <= set(json.loads(done.stdout)) and has_long(json.loads(done.stdout))
