# SPDX-License-Identifier: Apache-2.0
"""tools/check_layout finds what clang-format would change."""

import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(root, **options):
    return subprocess.run([sys.executable, ROOT / "tools" / "check_layout", "--root", root], capture_output=True, text=True, **options)


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / ".clang-format").write_bytes((ROOT / ".clang-format").read_bytes())
    (tmp_path / "src" / "a.cc").write_text("int a = 1;\nint b = 2;\n")
    return tmp_path


needs_clang_format = pytest.mark.skipif(not shutil.which("clang-format-19"), reason="no clang-format-19")


@needs_clang_format
def test_what_is_laid_out_passes(tree):
    assert (check(tree).returncode, check(tree).stdout) == (0, "")


@needs_clang_format
def test_what_is_not_is_found_with_its_line(tree):
    (tree / "src" / "b.h").write_text("int a = 1;\nint  b   = 2;\n")
    done = check(tree)
    assert (done.returncode, done.stdout) == (1, "src/b.h:2: not laid out as .clang-format says\n")


def test_without_clang_format_it_says_so(tree):
    assert check(tree, env={"PATH": str(tree)}).returncode == 77
