# SPDX-License-Identifier: Apache-2.0
"""Flame graphs: collapsed stacks, speedscope, the image."""

import base64
import collections
import json
import re
import subprocess
import xml.etree.ElementTree

import consumers
import pytest
from exported import MEMORY, TIMES

SVG = "{http://www.w3.org/2000/svg}"


def weights(text):
    rows = [line.rsplit(" ", 1) for line in text.splitlines()]
    assert len({frames for frames, _ in rows}) == len(rows)
    return {frames: int(weight) for frames, weight in rows}


@pytest.mark.parametrize("metric", TIMES + MEMORY + ["samples"])
def test_collapsed_sums(exports, totals, metric):
    unit = 1000 if metric in TIMES else 1
    assert sum(weights(exports.text("collapsed", "--metric", metric)).values()) == totals[metric] // unit


def test_collapsed_by_function_and_thread(exports, totals):
    by_line, by_function = weights(exports.text("collapsed")), weights(exports.text("collapsed", "--functions", "--threads"))
    assert sum(by_line.values()) == sum(by_function.values()) == totals["cpu"] // 1000
    assert any(frames.startswith("worker (") for frames in by_function)
    assert any("burn (" in frames and "program.py:7)" in frames for frames in by_line)


def test_collapsed_for_gprof2dot(exports):
    words = [consumers.python(), "-m", "gprof2dot", "-f", "collapse", exports.path("collapsed", "--functions")]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "burn" in done.stdout


def test_speedscope_sums(exports, totals):
    file = json.loads(exports.text("speedscope"))
    sums = collections.Counter()
    for profile in file["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert profile["endValue"] == sum(profile["weights"])
        sums[profile["name"].split(":")[0]] += profile["endValue"]
    assert sums == +totals


@pytest.mark.parametrize("options", [(), ("--functions",)])
def test_speedscope_follows_its_schema(exports, options):
    """Every member and every value that the program's own schema names, as it names them."""
    schema = json.loads((consumers.node_packages() / "speedscope/dist/release/file-format-schema.json").read_text())
    file = json.loads(exports.text("speedscope", *options))
    definitions = schema["definitions"]
    units = definitions["FileFormat.ValueUnit"]["enum"]
    required = definitions["FileFormat.SampledProfile"]["required"]
    allowed = definitions["FileFormat.SampledProfile"]["properties"]
    assert set(definitions["FileFormat.File"]["required"]) <= file.keys() <= definitions["FileFormat.File"]["properties"].keys()
    for profile in file["profiles"]:
        assert set(required) <= profile.keys() <= allowed.keys()
        assert profile["unit"] in units
    frames = file["shared"]["frames"]
    for frame in frames:
        assert {"name"} <= frame.keys() <= definitions["FileFormat.Frame"]["properties"].keys()
    assert all(0 <= frame < len(frames) for profile in file["profiles"] for stack in profile["samples"] for frame in stack)


def test_speedscope_opens_it(exports, tmp_path):
    page = consumers.node_packages() / "speedscope/dist/release/index.html"
    data = base64.b64encode(exports.bytes("speedscope")).decode()
    (tmp_path / "profile.js").write_text(f"speedscope.loadFileFromBase64('it.speedscope.json', '{data}')")
    words = [consumers.chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    words += [f"--user-data-dir={tmp_path}", "--virtual-time-budget=20000", "--dump-dom"]
    words.append(f"file://{page}#localProfilePath={tmp_path}/profile.js")
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert re.search(r"cpu: \S+ \(\d+/\d+\)", done.stdout), done.stdout[-2000:] + done.stderr[-2000:]


def test_image(exports, totals):
    image = xml.etree.ElementTree.fromstring(exports.bytes("svg"))
    frames = {group.find(f"{SVG}title").text: float(group.get("data-w")) for group in image.iter(f"{SVG}g")}
    everything = next(title for title in frames if title.startswith("all: "))
    assert frames[everything] == 1200
    value, unit = re.match(r"all: ([\d.]+) (m?s) ", everything).groups()
    assert float(value) == pytest.approx(totals["cpu"] / {"s": 1e9, "ms": 1e6}[unit], rel=0.005)  # three digits
    below = [float(group.get("data-w")) for group in image.iter(f"{SVG}g") if group.find(f"{SVG}rect").get("y") == "73"]
    assert sum(below) == pytest.approx(1200, abs=1)
    assert any(re.match(r"burn \(.*program\.py:7\): ", title) for title in frames)


def test_image_searches(exports, tmp_path):
    """Its script, in a browser: a search marks frames and adds them up."""
    image = exports.text("svg", "--functions")
    probe = "window.prompt = () => 'burn (';"
    probe += "document.getElementById('search').dispatchEvent(new MouseEvent('click'));"
    probe += "document.documentElement.setAttribute('data-hits', document.querySelectorAll('.hit').length);"
    probe += "document.documentElement.setAttribute('data-found', document.getElementById('found').textContent);"
    (tmp_path / "it.svg").write_text(image.replace("</svg>", f"<script><![CDATA[{probe}]]></script></svg>"))
    words = [consumers.chromium(), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/user"]
    done = subprocess.run([*words, "--dump-dom", f"file://{tmp_path}/it.svg"], capture_output=True, text=True, timeout=600)
    found = re.search(r'data-hits="(\d+)" data-found="(\d+) frames, ([\d.]+) %"', done.stdout)
    assert found, done.stdout[:500]
    assert found.group(1) == found.group(2) and int(found.group(1)) >= 2
    assert 50 < float(found.group(3)) <= 100
