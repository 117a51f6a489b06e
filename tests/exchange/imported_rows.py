# SPDX-License-Identifier: Apache-2.0
"""What pyrometer makes of the profile of another tool, line by line."""

import csv
import io

from pyrometer_tool import pyrometer


class ImportedRows:
    def __init__(self, path):
        self.path = path
        self.lines = self._rows()
        self.functions = self._rows("--functions")

    def _rows(self, *options):
        done = pyrometer("export", self.path, "-f", "csv", *options, "-o", "-")
        assert done.returncode == 0, done.stderr
        return list(csv.DictReader(io.StringIO(done.stdout.decode())))

    def sum(self, column):
        """Over all lines: "self_wall_ns", "self_live_at_peak_bytes"."""
        return sum(int(row[column]) for row in self.lines)

    def of_function(self, name, column):
        return sum(int(row[column]) for row in self.functions if row["function"] == name)

    def of_line(self, file, line, column):
        return sum(int(row[column]) for row in self.lines if row["file"].endswith(file) and row["line"] == str(line))
