# SPDX-License-Identifier: Apache-2.0
"""Formats with time: Chrome's trace events, Perfetto, the Firefox Profiler."""

import collections
import contextlib
import json
import os
import re
import signal
import subprocess

import consumers
import pytest

PERFETTO = """
import collections, json, sys
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace
trace = Trace()
trace.ParseFromString(open(sys.argv[1], "rb").read())
sums, names, frames, stacks, seen, tracks = collections.Counter(), {}, {}, {}, collections.Counter(), []
defaults = {}
for packet in trace.packet:
    sequence = packet.trusted_packet_sequence_id
    assert sequence
    if packet.trace_packet_defaults.HasField("stack_sample_defaults"):
        assert packet.sequence_flags & 1
        defaults[sequence] = packet.trace_packet_defaults.stack_sample_defaults
    for entry in packet.interned_data.function_names:
        names[sequence, entry.iid] = entry.str.decode("utf-8")
    for frame in packet.interned_data.frames:
        frames[sequence, frame.iid] = (names[sequence, frame.function_name_id], frame.line_number)
    for stack in packet.interned_data.callstacks:
        stacks[sequence, stack.iid] = [frames[sequence, frame] for frame in stack.frame_ids]
    if packet.HasField("stack_sample"):
        assert packet.sequence_flags & 2
        sample, its = packet.stack_sample, defaults[sequence]
        sums[its.primary_descriptor.name] += sample.primary_weight
        for descriptor, weight in zip(its.follower_descriptors, sample.follower_weights, strict=True):
            sums[descriptor.name] += weight
        name, line = stacks[sequence, sample.callstack_iid][-1]
        seen[f"{name}:{line}"] += 1
    if packet.HasField("track_descriptor"):
        tracks.append(packet.track_descriptor.thread.thread_name or packet.track_descriptor.name)
print(json.dumps({"sums": sums, "seen": seen, "tracks": tracks}))
"""


def test_chrome_events_nest(exports, totals):
    trace = json.loads(exports.text("chrome"))
    open_calls, last, sums, counters = collections.defaultdict(list), {}, collections.Counter(), set()
    for event in trace["traceEvents"]:
        thread = (event["pid"], event["tid"])
        if event["ph"] == "B":
            open_calls[thread].append(event)
        elif event["ph"] == "E":
            begun = open_calls[thread].pop()
            assert begun["name"] == event["name"] and begun["ts"] <= event["ts"]
            if not open_calls[thread]:
                sums["wall"] += event["args"]["wall_us"]
                sums["cpu"] += event["args"]["cpu_us"]
        elif event["ph"] == "C":
            counters.add(event["name"])
        if event["ph"] in "BE":
            assert last.get(thread, 0) <= event["ts"]
            last[thread] = event["ts"]
    assert not any(open_calls.values())
    assert sums["wall"] == pytest.approx(totals["wall"] / 1000, abs=0.1)
    assert sums["cpu"] == pytest.approx(totals["cpu"] / 1000, abs=0.1)
    assert counters == {"memory", "resident"}
    assert {"worker"} <= {event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "thread_name"}


def test_perfetto(exports, totals):
    words = [consumers.python(), "-c", PERFETTO, exports.path("perfetto")]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for metric in ("wall", "cpu", "python", "native", "kernel", "allocated", "copied"):
        assert found["sums"].get(metric, 0) == totals[metric], metric
    assert any(re.search(r"(^burn|<genexpr>):\d+$", name) for name in found["seen"])
    assert {"worker", "Memory in use"} <= set(found["tracks"])


def test_firefox_sums(exports, totals):
    profile = json.loads(exports.text("firefox"))
    shared = profile["shared"]
    for table in ("stackTable", "frameTable", "funcTable", "resourceTable", "sources", "nativeSymbols"):
        lengths = {len(column) for column in shared[table].values() if isinstance(column, list)}
        assert lengths == {shared[table]["length"]}, table
    weights = sum(sum(thread["samples"]["weight"]) for thread in profile["threads"])
    assert weights == pytest.approx(totals["wall"] / 1e6, rel=1e-9)
    allocated = sum(w for thread in profile["threads"] for w in thread.get("nativeAllocations", {"weight": []})["weight"] if w > 0)
    assert allocated == totals["allocated"]
    assert any(content and "def burn" in content for content in shared["sources"]["content"])
    assert len(profile["counters"]) == 2


def test_firefox_opens_it(exports, tmp_path):
    tool = consumers.node_packages() / ".bin" / "profiler-cli"
    if subprocess.run([tool, "--help"], capture_output=True, timeout=600).returncode != 0:
        pytest.skip("profiler-cli does not run with this node")
    environment = {"HOME": str(tmp_path), "PATH": "/usr/local/bin:/usr/bin:/bin"}

    def run(*words):
        return subprocess.run([tool, *words], capture_output=True, text=True, timeout=600, env=environment, cwd=tmp_path)

    # Its daemon has half a second to start, which is not enough on a busy machine; its own advice is to try again.
    for _ in range(20):
        loaded = run("load", str(exports.path("firefox")))
        if "did not become ready" not in loaded.stderr + loaded.stdout:
            break
        late_daemon = re.search(r"still be running as pid (\d+)", loaded.stderr + loaded.stdout)
        if late_daemon:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(late_daemon[1]), signal.SIGKILL)
    try:
        assert loaded.returncode == 0, loaded.stdout + loaded.stderr
        info = run("profile", "info")
        assert info.returncode == 0, info.stdout + info.stderr
        assert "worker" in info.stdout
    finally:
        run("stop")
