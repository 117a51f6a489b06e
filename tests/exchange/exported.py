# SPDX-License-Identifier: Apache-2.0
"""A recording that is written in all formats, and the sums that each must have."""

import collections

from page_data import PageData
from pyrometer_tool import pyrometer

ACTIVITIES = "python native kernel io_wait lock_wait gil_wait sleep child_wait run_queue other_wait".split()
TIMES = ["cpu", *ACTIVITIES, "wall"]
MEMORY = ["allocated", "live_at_peak", "live_at_exit", "copied"]
COPIED = 3


class Exports:
    """Writes each format once."""

    def __init__(self, capture):
        self.capture = capture
        self._written = {}

    @classmethod
    def record(cls, folder, python):
        """Records program.py of the folder."""
        done = pyrometer("run", "--no-report", "--no-config", "-o", "run.pyro", "--python", python, "program.py", cwd=folder)
        assert done.returncode == 0, done.stderr
        return cls(folder / "run.pyro")

    def path(self, format_, *options):
        """The file of a format."""
        key = (format_, *options)
        if key not in self._written:
            path = self.capture.parent / ("-".join(key).replace("--", "") + ".out")
            done = pyrometer("export", self.capture, "-f", format_, *options, "-o", path)
            assert done.returncode == 0, done.stderr
            self._written[key] = path
        return self._written[key]

    def bytes(self, format_, *options):
        return self.path(format_, *options).read_bytes()

    def text(self, format_, *options):
        return self.bytes(format_, *options).decode("utf-8")


def totals_of(exports):
    """Metric -> sum in nanoseconds, bytes, or samples, from the data of the page."""
    sums = sums_of(PageData(exports.bytes("page-data")))
    assert sums["cpu"] and sums["sleep"] and sums["allocated"] and sums["live_at_peak"] and sums["live_at_exit"]
    return sums


def sums_of(page):
    sums = collections.Counter(samples=sum(page["sample.count"]))
    for activity, weight in zip(page["sample.activity"], page["sample.weight"]):
        sums[ACTIVITIES[activity]] += weight
        sums["wall"] += weight
        sums["cpu"] += weight if activity <= 2 else 0
    for kind, amount in zip(page["change.kind"], page["change.bytes"]):
        sums["copied" if kind == COPIED else "allocated"] += amount
    sums["live_at_peak"] = sum(page["peak.bytes"])
    sums["live_at_exit"] = sum(page["left.bytes"])
    return sums
