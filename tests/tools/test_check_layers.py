# SPDX-License-Identifier: Apache-2.0
"""tools/check_layers finds what it is for: each case plants one include."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    for folder in ("base", "cpython", "transport", "analyze", "profile", "agent", "cli", "capture"):
        (tmp_path / "src" / folder).mkdir(parents=True)
    return tmp_path


def check(root):
    command = [sys.executable, ROOT / "tools" / "check_layers", "--root", root]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def script():
    loader = importlib.machinery.SourceFileLoader("check_layers", str(ROOT / "tools" / "check_layers"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def plant(tree, path, *lines):
    source = tree / "src" / path
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("\n".join(lines) + "\n")


def test_allowed_edges_pass(tree, script):
    plant(tree, "analyze/merge.cc", '#include "analyze/merge.h"', '#include "profile/profile.h"', "#include <vector>")
    plant(tree, "transport/ring.h", '#include "cpython/layout.h"', '#include "table.inc"')
    plant(tree, "agent/doors/preload.cc", '#include "gtest/gtest.h"')
    assert not [found for found in script.violations(tree / "src") if found.startswith("src/")]


@pytest.mark.parametrize(
    "path, include, message",
    [
        ("base/id.h", "cpython/layout.h", "base may not include cpython"),
        ("analyze/merge.cc", "capture/session.h", "analyze may not include capture"),
        ("cli/cmd_run.cc", "agent/doors/preload.h", "cli may not include agent/doors"),
        ("transport/ring.h", "cpython/frame_walk.h", "transport may not include cpython"),
        ("agent/doors/preload_test.cc", "profile/profile.h", "agent/doors may not include profile"),
        ("base/id.h", "../cpython/layout.h", "name headers from src/"),
    ],
)
def test_a_planted_include_is_found_with_its_line(tree, path, include, message):
    plant(tree, path, "// first", "", f'#include "{include}"')
    result = check(tree)
    assert result.returncode == 1
    assert f"src/{path}:3: " in result.stdout
    assert message in result.stdout


def test_a_folder_without_rules_is_found(tree):
    plant(tree, "misc/any.h", "// nothing")
    result = check(tree)
    assert result.returncode == 1
    assert "folder misc is not in the table" in result.stdout


# Divided: its rooms have rules of their own, the deepest of them included.
DIVIDED = {
    "base": set(),
    "os": set(),
    "capture/core": {"base", "capture/probes"},
    "capture/probes": {"base", "os", "capture/core/probe.h"},
    "capture/probes/waits": {"capture/probes"},
    "cli": {"capture"},
}
KEPT = {
    "base/id.h": ["// nothing"],
    "os/read.h": ["// nothing"],
    "capture/core/collector.cc": ['#include "base/id.h"', '#include "capture/probes/names.h"', '#include "capture/core/probe.h"'],
    "capture/probes/names.h": ['#include "base/id.h"', '#include "os/read.h"', '#include "capture/core/probe.h"', '#include "rows.inc"'],
    "capture/probes/waits/look.cc": ['#include "capture/probes/names.h"', '#include "capture/probes/waits/look.h"'],
    "cli/main.cc": ['#include "capture/core/collector.h"', '#include "capture/probes/waits/look.h"'],
}


@pytest.fixture
def divided(tmp_path):
    for path, lines in KEPT.items():
        plant(tmp_path, path, *lines)
    return tmp_path


def found_in(script, tree, table=DIVIDED):
    return list(script.violations(tree / "src", table))


def test_rooms_may_include_what_their_own_rules_say(divided, script):
    assert found_in(script, divided) == []


@pytest.mark.parametrize(
    "path, include, message",
    [
        ("capture/core/ring.cc", "os/read.h", "capture/core may not include os (os/read.h)"),
        ("capture/core/ring.cc", "cli/main.h", "capture/core may not include cli (cli/main.h)"),
        ("capture/probes/tasks.cc", "capture/core/collector.h", "capture/probes may not include capture/core (capture/core/collector.h)"),
        ("capture/probes/tasks.cc", "capture/probes/waits/look.h", "capture/probes may not include capture/probes/waits"),
        ("capture/probes/waits/held.cc", "capture/core/probe.h", "capture/probes/waits may not include capture/core"),
        ("capture/probes/waits/held.cc", "base/id.h", "capture/probes/waits may not include base"),
        ("base/clock.h", "capture/core/probe.h", "base may not include capture/core"),
    ],
)
def test_an_edge_between_rooms_that_is_not_in_the_table_is_found(divided, script, path, include, message):
    plant(divided, path, "// first", f'#include "{include}"')
    [found] = found_in(script, divided)
    assert found.startswith(f"src/{path}:2: {message}")


def test_a_test_of_a_room_may_come_in_by_the_door(divided, script):
    table = DIVIDED | {"capture": {"base"}, "capture/testing": {"base"}}
    plant(divided, "capture/all.cc", '#include "base/id.h"')
    plant(divided, "capture/testing/small.h", '#include "base/id.h"')
    door = ['#include "capture/all.h"', '#include "capture/testing/small.h"']
    plant(divided, "capture/core/ring_test.cc", *door)
    plant(divided, "capture/core/testing/rings.h", *door)
    assert found_in(script, divided, table) == []
    plant(divided, "capture/core/ring.cc", *door)
    plant(divided, "capture/core/ring_test.cc", '#include "capture/probes/waits/look.h"', '#include "os/read.h"')
    assert found_in(script, divided, table) == [
        "src/capture/core/ring.cc:1: capture/core may not include capture (capture/all.h)",
        "src/capture/core/ring.cc:2: capture/core may not include capture/testing (capture/testing/small.h)",
        "src/capture/core/ring_test.cc:2: capture/core may not include os (os/read.h)",
    ]


def test_a_file_outside_of_the_rooms_is_found(divided, script):
    plant(divided, "capture/corelike/any.cc", "// nothing")
    plant(divided, "capture/any.cc", "// nothing")
    assert found_in(script, divided) == [
        "src/capture/any.cc:1: folder capture is not in the table of tools/check_layers",
        "src/capture/corelike/any.cc:1: folder capture/corelike is not in the table of tools/check_layers",
    ]


@pytest.mark.parametrize(
    "folder, edge, message",
    [
        ("base", "os", "base may include os, and does not"),
        ("capture/core", "os", "capture/core may include os, and does not"),
        ("capture/core", "capture/probes/waits", "capture/core may include capture/probes/waits, and does not"),
        ("cli", "capture/core", "cli may include capture/core, and does not"),
        ("capture/targets", "base", "there is nothing in src/capture/targets"),
    ],
)
def test_an_edge_that_nobody_uses_is_found(divided, script, folder, edge, message):
    table = DIVIDED | {folder: DIVIDED.get(folder, set()) | {edge}}
    assert found_in(script, divided, table) == [f"tools/check_layers: {message}"]
