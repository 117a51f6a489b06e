# SPDX-License-Identifier: Apache-2.0
"""Bad input: one line on stderr, exit code 2, nothing run, nothing overwritten."""

import os
import subprocess

import pytest
import pythons
from pyrometer_tool import pyrometer, tool

PRECIOUS = b"precious"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ok.py").write_text("open('ran', 'w').close()\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "kept.pyro").write_bytes(PRECIOUS)
    return tmp_path


def refused(done, folder, *mentions):
    text = done.stderr.decode()
    assert done.returncode == 2, (done.returncode, text)
    assert done.stdout == b""
    assert len(text.splitlines()) == 1, text
    assert text.startswith("pyrometer: ")
    assert [word for word in mentions if word not in text] == []
    assert not (folder / "ran").exists()
    assert (folder / "kept.pyro").read_bytes() == PRECIOUS


@pytest.mark.parametrize(
    "words, mention",
    [
        (["run", "missing.py"], "missing.py"),
        (["missing.py"], "missing.py"),
        (["run", "-o", "kept.pyro", "missing.py"], "missing.py"),
        (["run"], "script"),
        (["run", "-o", "kept.pyro", "ok.py"], "kept.pyro"),
        (["run", "-m"], "-m"),
        (["run", "-c"], "-c"),
        (["run", "--no-such-option", "ok.py"], "--no-such-option"),
        (["run", "-o", "kept.pyro", "--no-such-option", "ok.py"], "--no-such-option"),
        (["run", "-o"], "-o"),
        (["run", "-r", "0", "ok.py"], "0"),
        (["run", "-r", "many", "ok.py"], "many"),
        (["run", "-r", "20000", "ok.py"], "10000"),
        (["run", "-d", "never", "ok.py"], "never"),
        (["run", "--clock", "sundial", "ok.py"], "sundial"),
        (["run", "-o", "nowhere/x.pyro", "ok.py"], "nowhere/x.pyro"),
        (["run", "-o", "empty", "ok.py"], "empty"),
        (["run", "--json", "nowhere/x.json", "ok.py"], "nowhere/x.json"),
        (["run", "--python", "nowhere/python3", "ok.py"], "nowhere/python3"),
        (["run", "no-such-command-anywhere"], "no-such-command-anywhere"),
        (["run", "--tree", "--flat", "ok.py"], "--flat"),
        (["run", "--tree", "--format", "markdown", "ok.py"], "--tree"),
        (["run", "--sort", "memory", "--cpu-only", "ok.py"], "memory"),
        (["run", "--sort", "native", "--memory-only", "ok.py"], "native"),
        (["run", "--sort", "colour", "ok.py"], "there is no metric 'colour'; there are time, wall, cpu, "),
        (["run", "--format", "prose", "ok.py"], "summary"),
        (["run", "--format", "stacks", "--file", "x", "ok.py"], "--file"),
        (["run", "--lines", "0", "ok.py"], "--lines"),
        (["run", "--threshold", "101", "ok.py"], "--threshold"),
        (["report", "missing.pyro"], "missing.pyro"),
        (["report", "ok.py"], "ok.py"),
        (["report", "empty"], "empty"),
        (["report", "kept.pyro", "--json", "nowhere/x.json"], "kept.pyro"),
        (["reprot", "kept.pyro"], "report"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input(folder, words, mention):
    refused(pyrometer(*words, cwd=folder), folder, mention)


def test_report_never_overwrites_its_capture(folder):
    refused(pyrometer("report", "kept.pyro", "--json", "kept.pyro", cwd=folder), folder)


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to become another user")
@pytest.mark.parametrize("case", ["script", "output"])
def test_without_permission(folder, case):
    for path in (folder, *folder.parents):
        if "pytest" in path.name or path == folder:
            path.chmod(0o755)
    (folder / "ok.py").chmod(0o600 if case == "script" else 0o644)
    command = [*pythons.launcher("--user", "65534"), tool(), "run", "--python", "/usr/bin/python3"]
    command += ["-o", "/tmp/pyrometer-unused.pyro" if case == "script" else "kept.pyro", "ok.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    refused(done, folder, "ok.py" if case == "script" else "kept.pyro")
    assert not os.path.exists("/tmp/pyrometer-unused.pyro")


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["report", "--help"], ["--version"]])
def test_help_and_version_are_no_errors(words):
    done = pyrometer(*words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"pyrometer" in done.stdout
