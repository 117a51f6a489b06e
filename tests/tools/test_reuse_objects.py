# SPDX-License-Identifier: Apache-2.0
"""tools/reuse_objects takes an object of another tree only where the same command has made it."""

import json
import os
import pathlib
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Writes down that it was called, and how; its object says who made it.
COMPILER = '#!/bin/sh\necho "$*" >>"$CALLS"\nwhile [ "$1" != -o ]; do shift; done\necho compiled >"$2"\n'


class Trees:
    """A tree in which a.cc was compiled before, and one in which it is about to be."""

    def __init__(self, folder):
        self.calls, self.compiler, self.source = folder / "calls", folder / "c++", folder / "a.cc"
        self.compiler.write_text(COMPILER)
        self.compiler.chmod(0o755)
        self.source.write_text("int a;\n")
        self.old, self.new = folder / "old", folder / "new"
        for tree in (self.old, self.new):
            (tree / "generated").mkdir(parents=True)
            (tree / "generated" / "version.h").write_text("1\n")
        (self.old / "a.o").write_text("made before\n")
        words = self.command(self.old, "-O2", "-MD", "-MF", "a.d")
        entry = {"directory": str(self.old), "file": str(self.source), "command": " ".join(words)}
        (self.old / "compile_commands.json").write_text(json.dumps([entry]))

    def command(self, tree, *options):
        return [str(self.compiler), *options, f"-I{tree}/generated", "-o", "a.o", "-c", str(self.source)]

    def compile(self, *options):
        """The object in the new tree: what it says about its origin."""
        command = [sys.executable, ROOT / "tools" / "reuse_objects", self.old, *self.command(self.new, *options)]
        subprocess.run(command, cwd=self.new, env={**os.environ, "CALLS": str(self.calls)}, check=True)
        assert self.calls.exists() == ((self.new / "a.o").read_text() == "compiled\n")
        return (self.new / "a.o").read_text()


@pytest.fixture
def trees(tmp_path):
    return Trees(tmp_path)


def test_the_same_command_is_not_run_again(trees):
    assert trees.compile("-O2") == "made before\n"
    assert trees.compile("-O2", "-MD", "-MT", "a.o", "-MF", "elsewhere.d") == "made before\n"


def test_another_name_of_the_same_compiler_makes_no_difference(trees):
    link = trees.compiler.with_name("g++")
    link.symlink_to(trees.compiler)
    trees.compiler = link
    assert trees.compile("-O2") == "made before\n"


def test_another_compiler_does(trees):
    other = trees.compiler.with_name("other")
    other.write_text(COMPILER)
    other.chmod(0o755)
    trees.compiler = other
    assert trees.compile("-O2") == "compiled\n"


def test_another_option_is(trees):
    assert trees.compile("-O3") == "compiled\n"


def test_a_source_that_has_changed_since_is(trees):
    later = time.time() + 10
    os.utime(trees.source, (later, later))
    assert trees.compile("-O2") == "compiled\n"


def test_another_generated_header_is(trees):
    (trees.new / "generated" / "version.h").write_text("2\n")
    assert trees.compile("-O2") == "compiled\n"


def test_an_object_that_is_not_there_is(trees):
    (trees.old / "a.o").unlink()
    assert trees.compile("-O2") == "compiled\n"
