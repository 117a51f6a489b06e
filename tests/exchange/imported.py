# SPDX-License-Identifier: Apache-2.0
"""What pyrometer makes of the file of another tool."""

import collections

from exported import sums_of
from page_data import PageData
from pyrometer_tool import pyrometer


class Imported:
    def __init__(self, path, *options):
        self.path = path
        self.options = options

    def _export(self, format_, *options):
        done = pyrometer("export", self.path, "-f", format_, "-o", "-", *self.options, *options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def page(self):
        return PageData(self._export("page-data"))

    def sums(self):
        """Metric -> nanoseconds, bytes or samples."""
        return sums_of(self.page())

    def stacks(self, metric="wall", *options):
        """Frames -> microseconds, or bytes."""
        stacks = collections.Counter()
        for line in self._export("collapsed", "--metric", metric, *options).decode().splitlines():
            stack, _, count = line.rpartition(" ")
            stacks[tuple(stack.split(";"))] += int(count)
        return stacks

    def own(self, *options):
        """Function -> microseconds of its own."""
        own = collections.Counter()
        for stack, count in self.stacks("wall", "--functions", *options).items():
            own[stack[-1].split(" (")[0]] += count
        return own

    def csv(self):
        return self._export("csv").decode()
