# SPDX-License-Identifier: Apache-2.0
"""tools/check_symbols finds what it is for: each case builds a small library
that breaks one rule."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALLOW = "memcpy  copies\n__cxa_finalize  crt\n__gmon_start__  crt\n" + "".join(
    f"_ITM_{kind}TMCloneTable  crt\n" for kind in ("register", "deregister")
)
CLEAN = 'extern "C" int agent_entry() { return 1; }\n'


class Library:
    """A library with its export map and allow-list, and the verdict on it."""

    def __init__(self, folder):
        self.folder = folder
        self.exports = "{ global: agent_entry; local: *; };\n"
        self.allow = ALLOW

    def check(self, source, *flags):
        library = self._build(source, flags)
        (self.folder / "allow.txt").write_text(self.allow)
        command = [sys.executable, ROOT / "tools" / "check_symbols", library]
        command += ["--allow", self.folder / "allow.txt", "--exports", self.folder / "exports.map"]
        return subprocess.run(command, capture_output=True, text=True)

    def _build(self, source, flags):
        (self.folder / "agent.cc").write_text(source)
        (self.folder / "exports.map").write_text(self.exports)
        library = self.folder / "libagent.so"
        # gcc, not g++: it compiles C++ as well and links no C++ runtime.
        command = ["gcc", "-shared", "-fPIC", "-O1", "-o", library, self.folder / "agent.cc"]
        command += ["-fno-exceptions", "-fno-rtti", f"-Wl,--version-script={self.folder / 'exports.map'}", *flags]
        subprocess.run(command, check=True)
        return library


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def test_a_clean_library_passes(library):
    result = library.check(CLEAN)
    assert (result.returncode, result.stdout) == (0, "")


def test_an_unlisted_import_is_found(library):
    result = library.check("#include <stdio.h>\n" 'extern "C" int agent_entry() { return puts("hello"); }\n')
    assert result.returncode == 1
    assert "imports puts: not in the allow-list" in result.stdout


def test_an_import_of_the_cxx_runtime_is_found(library):
    result = library.check('extern "C" int* agent_entry() { return new int(1); }\n')
    assert result.returncode == 1
    assert "imports _Znwm: the C++ runtime is not allowed" in result.stdout


def test_exception_tables_are_found(library):
    source = 'struct S { ~S(); }; void f(); extern "C" int agent_entry() { S s; f(); return 1; }\n'
    result = library.check(source, "-fexceptions")
    assert result.returncode == 1
    assert ".gcc_except_table" in result.stdout
    assert "__gxx_personality_v0" in result.stdout


def test_an_extra_export_is_found(library):
    library.exports = "{ global: agent_*; local: *; };\n"
    result = library.check(CLEAN + 'extern "C" int agent_extra() { return 2; }\n')
    assert result.returncode == 1
    assert "exports agent_extra: not in the export map" in result.stdout


def test_a_missing_export_is_found(library):
    library.exports = "{ global: agent_entry; agent_gone; local: *; };\n"
    result = library.check(CLEAN)
    assert result.returncode == 1
    assert "does not export agent_gone" in result.stdout


def test_another_needed_library_is_found(library):
    result = library.check(CLEAN, "-Wl,--no-as-needed", "-lstdc++")
    assert result.returncode == 1
    assert "needs libstdc++.so.6" in result.stdout


def test_text_relocations_are_found(library):
    source = CLEAN + 'asm(".text\\n.quad place\\n.data\\nplace: .quad 0\\n");\n'
    result = library.check(source, "-Wl,-z,notext")
    assert result.returncode == 1
    assert "has text relocations" in result.stdout


def test_an_allowed_symbol_needs_a_reason(library):
    library.allow += "puts\n"
    result = library.check(CLEAN)
    assert result.returncode == 1
    assert "puts has no reason" in result.stderr
