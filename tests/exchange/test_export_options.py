# SPDX-License-Identifier: Apache-2.0
"""What can be chosen, and what cannot."""

import gzip

import pytest
from pyrometer_tool import pyrometer


@pytest.mark.parametrize(
    "options, message",
    [
        (["collapsed", "--metric", "heat"], b"--metric: there is no metric 'heat'; there are samples, cpu"),
        (["pprof", "--metric", "cpu"], b"--metric: pprof is not about one metric"),
        (["pstats", "--metric", "allocated"], b"--metric: pstats is about time"),
        (["heapprofile", "--metric", "cpu"], b"--metric: heapprofile is about memory"),
        (["pprof", "--functions"], b"--functions: pprof has no such choice"),
        (["csv", "--threads"], b"--threads: csv has no such choice"),
        (["svg", "--base", "other.pyro"], b"--base: svg shows one profile only"),
    ],
)
def test_choices_that_a_format_does_not_have(exports, options, message):
    done = pyrometer("export", exports.capture, "-f", *options, "-o", "-")
    assert done.returncode == 2
    assert message in done.stderr and not done.stdout


def test_formats_of_time_say_that_there_is_none(tmp_path):
    done = pyrometer("run", "--no-report", "--no-config", "--memory-only", "-o", "run.pyro", "-c", "x = bytearray(8 << 20)", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for format_ in ("pstats", "cpuprofile"):
        done = pyrometer("export", "run.pyro", "-f", format_, "-o", "-", cwd=tmp_path)
        assert done.returncode != 0 and b"no time was recorded" in done.stderr
    done = pyrometer("export", "run.pyro", "-f", "collapsed", cwd=tmp_path)
    assert done.returncode == 0
    assert sum(int(line.rsplit(b" ", 1)[1]) for line in done.stdout.splitlines()) >= 8 << 20  # live at the peak


def test_only_one_format_holds_source(exports):
    """What people share with less thought must not have it."""
    formats = "collapsed speedscope callgrind pstats dot cpuprofile heapprofile svg csv chrome otlp perfetto".split()
    texts = {format_: exports.bytes(format_) for format_ in formats}
    texts["pprof"] = gzip.decompress(exports.bytes("pprof"))
    assert b"thread_time() < end" in exports.bytes("firefox").replace(b"\\u003c", b"<")
    assert not [format_ for format_, text in texts.items() if b"time.thread_time()" in text]


def test_binary_formats_go_beside_the_recording(exports):
    done = pyrometer("export", exports.capture, "-f", "pprof")
    assert done.returncode == 0
    assert exports.capture.with_suffix(".pb.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert str(exports.capture.with_suffix(".pb.gz")).encode() in done.stderr
