# SPDX-License-Identifier: Apache-2.0
"""tools/check_viewer_layers finds what it is for: each case plants one import, or takes one away."""

import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def source(tmp_path):
    """A copy of the viewer's source: its table allows nothing that the viewer does not use."""
    return pathlib.Path(shutil.copytree(ROOT / "viewer" / "src", tmp_path / "viewer" / "src"))


def check(source):
    command = [sys.executable, ROOT / "tools" / "check_viewer_layers", "--root", source.parents[1]]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_viewer_passes(source):
    result = check(source)
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize(
    "path, line, message",
    [
        ("data/planted.ts", "import { fold } from '../model/fold';", "data may not import model (../model/fold)"),
        ("model/planted.ts", "import type { Unit } from '../text/amount';", "model may not import text"),
        ("model/planted_test.ts", "export { App } from '../app';", "model may not import . (../app)"),
        ("worker/planted.ts", "import '../state/theme';", "worker may not import state"),
        ("views/calls/planted.tsx", "const late = import('../diff/diff_view');", "views/calls may not import views/diff"),
        ("views/planted.tsx", 'import { tip } from "../widgets/tooltip";', "views may not import widgets"),
        ("render/planted.ts", "import { demo } from '../../test/demo';", "render may not import test"),
        ("text/planted.ts", "import words from '../../../docs/words.json';", "text may not import what is outside of the viewer"),
    ],
)
def test_a_planted_import_is_found_with_its_line(source, path, line, message):
    (source / path).write_text(f"// first\n\n{line}\n")
    result = check(source)
    assert result.returncode == 1
    assert result.stdout.startswith(f"src/{path}:3: ")
    assert message in result.stdout
    assert result.stdout.count("\n") == 1


def test_an_import_of_several_lines_is_found_where_it_names_the_module(source):
    (source / "data" / "planted.ts").write_text("import {\n  fold,\n  Folding,\n} from '../model/fold';\n")
    assert check(source).stdout.startswith("src/data/planted.ts:4: data may not import model")


def test_tests_may_use_the_folder_for_tests(source):
    (source / "render" / "planted_test.ts").write_text("import { demo } from '../../test/demo';\n")
    assert check(source).returncode == 0


def test_an_edge_that_nobody_uses_is_found(source):
    for path in (source / "widgets").iterdir():
        path.write_text(path.read_text().replace("from '../render/", "from './"))
    result = check(source)
    assert result.returncode == 1
    assert result.stdout == "tools/check_viewer_layers: widgets may import render, and does not\n"


def test_a_folder_without_rules_is_found(source):
    (source / "misc").mkdir()
    (source / "misc" / "any.ts").write_text("export const nothing = 0;\n")
    assert "src/misc/any.ts:1: room misc is not in the table" in check(source).stdout
