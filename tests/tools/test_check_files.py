# SPDX-License-Identifier: Apache-2.0
"""tools/check_files finds what it is for: each case plants one file."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def check(root):
    command = [sys.executable, ROOT / "tools" / "check_files", "--root", root]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_clean_file_passes(tmp_path):
    (tmp_path / "a.cc").write_text(SPDX + "int a;\n" * 899)
    (tmp_path / "run").write_text("#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
    (tmp_path / "invented.txt").write_text("directory='/home/user/project' '/home/u/a.py'\n")
    (tmp_path / "CMakeLists.txt").write_text(
        "add_library(a\n  a.cc\n  a/b.cc\n  a_b.cc)\nset(MORE\n  a.cc)\nlink(x ${b}/b.cc c.cc)  # see a.cc, b.cc\n"
    )
    (tmp_path / "data.bin").write_bytes(b"\0" + b"TO" b"DO")
    assert check(tmp_path).returncode == 0


@pytest.mark.parametrize(
    "name, text, where, message",
    [
        ("a.cc", "int a;\n", ":1:", "no SPDX line"),
        ("run", "#!/bin/sh\necho\n", ":1:", "no SPDX line"),
        ("a.h", SPDX + "int a;\n" * 900, ":901:", "more than 900 lines"),
        ("a.py", "# SPDX-License-Identifier: Apache-2.0\nx = '/ro" "ot/x'\n", ":2:", "path of one machine"),
        ("a.txt", "x=/ho" "me/username/x\n", ":1:", "path of one machine"),
        ("notes.md", "see `~/.py" "env/versions`\n", ":1:", "path of one machine"),
        ("a.cc", SPDX + "// TO" "DO later\n", ":2:", "unfinished business"),
        ("sources.txt", "de" "b http" "://a.example/debian stable main\n", ":1:", "registry"),
        ("a.cc", SPDX + "int a; \n", ":2:", "trailing white space"),
        ("a.cc", SPDX + "int a;", ":2:", "no newline at the end"),
        ("CMakeLists.txt", "add_library(a\n  b.cc c.cc)\n", ":2:", "more than one source in a line"),
        ("CMakeLists.txt", "add_library(a b.cc c.cc)\n", ":1:", "more than one source in a line"),
        ("CMakeLists.txt", "add_library(a\n  b.cc\n  a/c.cc)\n", ":3:", "sources are not sorted: a/c.cc after b.cc"),
        ("CMakeLists.txt", "add_library(a\n  b.cc\n  b.cc)\n", ":3:", "sources are not sorted"),
    ],
)
def test_a_planted_fault_is_found_with_its_line(tmp_path, name, text, where, message):
    (tmp_path / name).write_text(text)
    result = check(tmp_path)
    assert result.returncode == 1
    assert name + where in result.stdout
    assert message in result.stdout
