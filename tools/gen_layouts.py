#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/cpython/*_generated.inc from the headers of the CPythons found here.

  layouts_generated.inc       3.8-3.12: the layouts
  debug_tables_generated.inc  3.13+: shape of the offsets table in the runtime
  supplements_generated.inc   3.13+: what that table lacks
  opcodes_generated.inc       numbers of the call instructions
  objects_generated.inc       dictionaries, sets, instances, generators
  tasks_generated.inc         asyncio tasks, measured by running task_fields.py

Each file is a list of blocks, one per version. Blocks of versions that are not
on this machine stay as they are. With --check nothing is written; the exit code
is 1 if a block differs from what the headers say.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests"))
import interpreters  # noqa: E402

OUTPUT = os.path.join(HERE, "..", "src", "cpython")
HEADER = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/gen_layouts.py from CPython's own headers; do not edit.
// clang-format off
"""
SECTIONS = (
    "runtime interpreter gil thread cframe frame code object bytes unicode generator".split()
)


def probe(python, free_threaded):
    """{member: value} as compiled against the headers of `python`."""
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "probe")
        command = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-w", "-I" + python.include]
        command.append("-I" + os.path.join(python.include, "internal"))
        # Debian keeps pyconfig.h per architecture, beside the system's headers.
        command += ["-idirafter", os.path.dirname(python.include)]
        if free_threaded and not python.free_threaded:
            command.append("-DPy_GIL_DISABLED=1")
        command += [os.path.join(HERE, "gen_layouts.c"), "-o", binary]
        subprocess.run(command, check=True)
        lines = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    return {name: int(value) for name, value in (line.split() for line in lines.splitlines())}


def initializer(pairs):
    return ", ".join(f".{name} = {value}" for name, value in pairs)


def layout_block(minor, members):
    lines = [f"Layout{{.version_hex = {0x03000000 | minor << 16:#010x}, .minor = {minor}, .free_threaded = false,"]
    for section in SECTIONS:
        prefix = section + "."
        pairs = [(m[len(prefix) :], v) for m, v in members.items() if m.startswith(prefix)]
        # Designated initializers must follow the order of declaration.
        pairs.sort(key=lambda pair: ORDER[section].index(pair[0]))
        lines.append(f"       .{section} = {{{initializer(pairs)}}},")
    lines[-1] = lines[-1][:-1] + "},"
    return lines


def declared_order():
    """{section: [members]} as declared in layout.h."""
    with open(os.path.join(OUTPUT, "layout.h"), encoding="utf-8") as file:
        text = file.read()
    order = {}
    for body, name in re.findall(r"struct \w+ \{([^}]*)\} (\w+);", text):
        order[name] = re.findall(r"^\s*u?int\d+_t (\w+)", body, re.M)
    return order


ORDER = declared_order()


def table_block(minor, members):
    pairs = [(m[6:].replace(".", "_"), v) for m, v in members.items() if m.startswith("table.")]
    with open(os.path.join(OUTPUT, "debug_table.h"), encoding="utf-8") as file:
        order = re.findall(r"^\s*uint16_t (\w+)", file.read(), re.M)
    pairs.sort(key=lambda pair: order.index(pair[0]))
    return [f"DebugTable{{.minor = {minor}, {initializer(pairs)}}},"]


def supplement_block(minor, free_threaded, m):
    first_line, unicode = m["code.first_line"], "unicode."
    pairs = [
        ("minor", minor),
        ("free_threaded", str(free_threaded).lower()),
        ("datastack_top_from_chunk", m["thread.datastack_top"] - m["thread.datastack_chunk"]),
        ("stack_top_from_instruction", m["frame.stack_top"] - m["frame.instruction"]),
        ("stack_size_from_first_line", m["code.stack_size"] - first_line),
        ("local_count_from_first_line", m["code.local_count"] - first_line),
        ("frame_words_from_first_line", m["code.frame_words"] - first_line),
        ("first_traceable_from_bytecode", m["code.first_traceable"] - m["code.bytecode"]),
        ("gil_size", m["gil.size"]),
        ("gil_enabled", m.get("gil.enabled", "kAbsent")),
        ("generator_frame", m["generator.frame"]),
        ("generator_state", m["generator.state"]),
        ("generator_executing", m["generator.executing"]),
        ("unicode_compact_size", m["unicode.compact_size"]),
        ("kind_shift", m[unicode + "kind_shift"]),
        ("compact_shift", m[unicode + "compact_shift"]),
        ("ascii_shift", m[unicode + "ascii_shift"]),
    ]
    return [f"Supplement{{{initializer(pairs)}}},"]


def opcode_block(python):
    """Numbers of the instructions that call an object, specialized forms too."""
    call = re.compile(r"(INSTRUMENTED_)?(PRE)?CALL(_(?!FINALLY|INTRINSIC)\w+)?$")
    chosen = sorted((n, name) for name, n in opcode_numbers(python).items() if call.match(name) and n < 256)
    body = ", ".join(f"{number} /* {name} */" for number, name in chosen)
    return [f"CallOpcodes({python.minor}, {{{body}}}),"]


def flat_block(struct, header, minor, free_threaded, pairs):
    """One initializer of a `struct` of plain numbers, declared in `header`."""
    with open(os.path.join(OUTPUT, header), encoding="utf-8") as file:
        order = re.findall(r"^ {2}u?int\d+_t (\w+)", file.read(), re.M)
    pairs = sorted(pairs.items(), key=lambda pair: order.index(pair[0]))
    head = [("minor", minor), ("free_threaded", str(free_threaded).lower())]
    return [f"{struct}{{{initializer(head + pairs)}}},"]


def below(prefix, members):
    return {name[len(prefix) :]: value for name, value in members.items() if name.startswith(prefix)}


def opcode_numbers(python):
    name = "opcode_ids.h" if python.minor >= 13 else "opcode.h"
    with open(os.path.join(python.include, name), encoding="utf-8") as file:
        return {n: int(v) for n, v in re.findall(r"^#define\s+(\w+)\s+(\d+)\s*$", file.read(), re.M)}


def object_block(python, free_threaded, members):
    pairs = below("objects.", members)
    if python.minor <= 12:
        # How a suspended frame tells that it waits for what lies on top of its stack.
        numbers = opcode_numbers(python)
        plain, variant = ("YIELD_FROM", None) if python.minor <= 10 else ("RESUME", "INSTRUMENTED_RESUME")
        variant = "RESUME_QUICK" if python.minor == 11 else variant
        pairs["delegating_opcode"] = numbers[plain]
        pairs["delegating_variant"] = numbers.get(variant, numbers[plain])
    if 10 <= python.minor <= 12:
        # Compilers of these versions leave the ends of some loops without a line.
        plain = "JUMP_ABSOLUTE" if python.minor == 10 else "JUMP_BACKWARD"
        variant = {11: "JUMP_BACKWARD_QUICK", 12: "INSTRUMENTED_JUMP_BACKWARD"}.get(python.minor, plain)
        pairs["loop_jump_opcode"] = numbers[plain]
        pairs["loop_jump_variant"] = numbers[variant]
        pairs["extended_arg_opcode"] = numbers["EXTENDED_ARG"]
        pairs["extended_arg_variant"] = numbers.get("EXTENDED_ARG_QUICK", numbers["EXTENDED_ARG"])
    return flat_block("ObjectLayout", "object_layout.h", python.minor, free_threaded, pairs)


def task_block(python, members):
    """None where the interpreter cannot run the measurement."""
    place = os.path.join(python.root, "tmp") if python.root else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        script = python.inside(shutil.copy(os.path.join(HERE, "task_fields.py"), folder))
        done = subprocess.run([*python.command, script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if "No module named" in done.stderr:
            return None
        sys.exit(f"{python.name}: {done.stderr}")
    fields = {name: int(value) for name, value in map(str.split, done.stdout.splitlines())}
    pairs = {**fields, **below("tasks.", members)}
    return flat_block("TaskLayout", "task_layout.h", python.minor, python.free_threaded, pairs)


class Blocks:
    """The blocks of one generated file, by label."""

    def __init__(self, name):
        self.path = os.path.join(OUTPUT, name)
        self.old = self._read()
        self.new = {}

    def _read(self):
        blocks = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                text = file.read()
            for part in re.split(r"^// block ", text, flags=re.M)[1:]:
                label, _, body = part.partition("\n")
                blocks[label] = body.splitlines()
        return blocks

    def add(self, label, lines):
        if self.new.setdefault(label, lines) != lines:
            sys.exit(f"{label}: two patch releases disagree:\n{self.new[label]}\n{lines}")

    def stale(self):
        return sorted(label for label, lines in self.new.items() if self.old.get(label) != lines)

    def write(self):
        merged = {**self.old, **self.new}
        key = lambda label: (label.split()[0], int(re.search(r"3\.(\d+)", label)[1]), label)  # noqa: E731
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(HEADER)
            for label in sorted(merged, key=key):
                file.write("\n".join([f"// block {label}", *merged[label], ""]))


def generate(files, pythons):
    layouts, supplements, tables, opcodes, objects, tasks = files
    for python in pythons:
        version = f"3.{python.minor}"
        for free_threaded in {python.free_threaded, python.minor >= 13}:
            build = version + ("t" if free_threaded else "")
            members = probe(python, free_threaded)
            objects.add(f"objects {build}", object_block(python, free_threaded, members))
            block = task_block(python, members) if free_threaded == python.free_threaded else None
            if block:
                tasks.add(f"tasks {build}", block)
        opcodes.add(f"opcodes {version}", opcode_block(python))
        if python.minor <= 12:
            layouts.add(f"layout {version}", layout_block(python.minor, probe(python, False)))
            continue
        for free_threaded in {python.free_threaded, True}:
            members = probe(python, free_threaded)
            tables.add(f"table {version}", table_block(python.minor, members))
            label = f"supplement {version}" + ("t" if free_threaded else "")
            supplements.add(label, supplement_block(python.minor, free_threaded, members))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    files = [
        Blocks(name)
        for name in (
            "layouts_generated.inc",
            "supplements_generated.inc",
            "debug_tables_generated.inc",
            "opcodes_generated.inc",
            "objects_generated.inc",
            "tasks_generated.inc",
        )
    ]
    pythons = [one for one in interpreters.interpreters() if one.has_headers]
    generate(files, pythons)
    print("headers of", ", ".join(one.name for one in pythons))
    if not check:
        for file in files:
            file.write()
        return 0
    stale = [label for file in files for label in file.stale()]
    for label in stale:
        print(f"stale: {label}")
    return 1 if stale or not pythons else 0


if __name__ == "__main__":
    sys.exit(main())
