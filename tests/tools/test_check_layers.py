# SPDX-License-Identifier: Apache-2.0
"""tools/check_layers finds what it is for: each case plants one include."""

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


def plant(tree, path, *lines):
    source = tree / "src" / path
    source.parent.mkdir(exist_ok=True)
    source.write_text("\n".join(lines) + "\n")


def test_allowed_edges_pass(tree):
    plant(tree, "analyze/merge.cc", '#include "analyze/merge.h"', '#include "profile/profile.h"', "#include <vector>")
    plant(tree, "transport/ring.h", '#include "cpython/layout.h"', '#include "table.inc"')
    plant(tree, "agent/preload.cc", '#include "gtest/gtest.h"')
    assert check(tree).returncode == 0


@pytest.mark.parametrize(
    "path, include, message",
    [
        ("base/id.h", "cpython/layout.h", "base may not include cpython"),
        ("analyze/merge.cc", "capture/session.h", "analyze may not include capture"),
        ("cli/cmd_run.cc", "agent/preload.h", "cli may not include agent"),
        ("transport/ring.h", "cpython/frame_walk.h", "transport may not include cpython"),
        ("agent/preload_test.cc", "profile/profile.h", "agent may not include profile"),
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
