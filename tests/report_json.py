# SPDX-License-Identifier: Apache-2.0
"""The JSON report as the tests see it: the only place in tests/ that knows its keys."""

import os
from pathlib import Path

ON_CPU = ("python", "native", "kernel")
WAITS = ("io_wait", "lock_wait", "gil_wait", "sleep", "child_wait", "other_wait")
ALL = ON_CPU + WAITS + ("run_queue",)


class Cells:
    """Time by activity, of one line, function, thread or process."""

    def __init__(self, *tables):
        self._tables = tables

    @classmethod
    def sum(cls, cells):
        return cls(*(table for cell in cells for table in cell._tables))

    def seconds(self, *activities):
        return self._sum("seconds", activities)

    def samples(self, *activities):
        return self._sum("samples", activities)

    def interval(self, activity):
        return self._sum("low", [activity]), self._sum("high", [activity])

    def activities(self):
        return sorted({activity for table in self._tables for activity in table})

    def _sum(self, field, activities):
        wanted = activities or ALL
        return sum(table[activity][field] for table in self._tables for activity in wanted if activity in table)


class Memory:
    """Memory of one line, function, thread or view, or of several together. What is 0 has no entry in the report."""

    KINDS = ("python", "native", "mapped")

    def __init__(self, *tables):
        self._tables = [table for table in tables if table]

    def bytes(self, figure, *kinds):
        """allocated, live_at_peak, live_at_exit, by kind if wanted; copied; peak: the most that was live at once, as far as known."""
        if figure == "peak":
            return sum(table.get("own_peak_bytes", 0) for table in self._tables)
        return self._sum(figure, "bytes", kinds)

    def interval(self, figure):
        return self._sum(figure, "low"), self._sum(figure, "high")

    def _sum(self, figure, field, kinds=()):
        amounts = [table[figure] for table in self._tables if figure in table]
        if figure != "copied":
            amounts = [amount[kind] for amount in amounts for kind in kinds or self.KINDS if kind in amount]
        return sum(amount[field] for amount in amounts)


class Process:
    """One process of a report, or all of them merged."""

    def __init__(self, data):
        self.data = data
        self.pid = data.get("pid")
        self.clock = data.get("clock", "")
        self.interpreter = data.get("interpreter", "")
        self.elapsed = data["elapsed_seconds"]
        self.totals = Cells(data["totals"])
        self.threads = [Cells(thread["totals"]) for thread in data["threads"]]
        self.paths = [entry["path"] for entry in data["files"]]
        self.peak_resident = (data.get("memory") or {}).get("peak_rss_bytes")
        self.resident = [level["rss_bytes"] for level in (data.get("memory") or {}).get("levels", ())]

    def lines(self, path, numbers, kind="scoped"):
        """What the lines `numbers` of a file have together."""
        return Cells(*(entry[kind] for entry in self._entries(path, "lines") if entry["line"] in numbers))

    def memory(self, path, numbers, kind="scoped"):
        """The memory of the lines `numbers` of a file together."""
        entries = [entry for entry in self._entries(path, "lines") if entry["line"] in numbers]
        return Memory(*(entry["memory"][kind] for entry in entries if entry["memory"]))

    def names_its_collector(self):
        """Whether the file of the interpreter has the names of functions that it does not export."""
        modules = {Path(native["module"]) for native in self.data["native_functions"]}
        files = [path for path in modules if path.name.startswith(("python", "libpython")) and path.exists()]
        return any(b"\0gc_collect_main" in path.read_bytes() or b"\0collect_" in path.read_bytes() for path in files)

    def memory_sums(self):
        """The same whole, summed in each way that the report promises: in all, by file, by line's owner, by thread."""
        view, files = self.data["memory"], [file["memory"] for file in self.data["files"] if file["memory"]]
        return {
            "totals": Memory(view["totals"]),
            "self": Memory(view["without_python"], *(file["self"] for file in files)),
            "scoped": Memory(view["outside_scope"], *(file["scoped"] for file in files)),
            "threads": Memory(*(thread["memory"] for thread in self.data["threads"])),
        }

    def function(self, path, name, kind="total"):
        return Cells(*(entry[kind] for entry in self._entries(path, "functions") if entry["name"] == name))

    def line_numbers(self, path):
        return {entry["line"] for entry in self._entries(path, "lines")}

    def function_names(self, path):
        return {entry["name"] for entry in self._entries(path, "functions")}

    def _entries(self, path, table):
        wanted = os.path.realpath(path)
        return [
            entry for file in self.data["files"] if os.path.realpath(file["path"]) == wanted for entry in file[table]
        ]


class Report:
    def __init__(self, data):
        assert (data["schema"], data["version"]) == ("pyrometer.report", 2)
        self.data = data
        self.processes = [Process(entry) for entry in data["processes"]]
        self.merged = Process(data["merged"])

    @property
    def process(self):
        """The only process, or the first one."""
        return self.processes[0]

    @property
    def pids(self):
        """One for each process. One that has called exec is two in the report where it was sampled before that, too."""
        return {process.pid for process in self.processes}

    @property
    def has_whole_stacks(self):
        """Whether native stacks reach their root, but for the few functions of the C runtime that have no unwind tables:
        a sample may meet one when a library is loaded or ends."""
        return self.loss("native_stacks_cut") <= 2

    def loss(self, id_):
        return sum(_counters(self.data["losses"], id_))

    @property
    def unpolled(self):
        """Seconds in which the collector had no CPU to poll waiting threads, by its own account."""
        return self.loss("wait_polls_missed") / 1e9

    def cost(self, id_):
        return sum(_counters(self.data["costs"], id_))

    def leaks(self, path):
        """Line -> entry of each line whose memory keeps growing; lines of other files than `path` are all 0."""
        wanted, found = os.path.realpath(path), {}
        for entry in self.data["growth"]:
            place = entry["place"]
            found[place["line"] if os.path.realpath(place["path"]) == wanted else 0] = entry
        return found

    def memory_losses(self):
        """Samples of memory that the report does not have, or has for too long."""
        return sum(entry["value"] for entry in self.data["losses"] if entry["id"].startswith("memory_"))

    def costs(self):
        """Id and value of each entry of pyrometer's own cost, processes summed."""
        sums = {}
        for entry in self.data["costs"]:
            sums[entry["id"]] = sums.get(entry["id"], 0) + entry["value"]
        return sums


def _counters(entries, id_):
    return [entry["value"] for entry in entries if entry["id"] == id_]
