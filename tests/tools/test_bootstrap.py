# SPDX-License-Identifier: Apache-2.0
"""./pyrometer as a bootstrap: when it installs, when it builds, what it says.

The script runs for real in a small tree; apt, cmake and ninja are stand-ins on
PATH that write down how they were called.
"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

STAND_INS = {
    "dpkg-query": 'grep -qx "$4" "$STATE/installed" 2>/dev/null && echo installed',
    "apt-get": """
        echo "apt-get $*" >>"$STATE/calls"
        sleep "$(cat "$STATE/apt-seconds" 2>/dev/null || echo 0)"
        [ -e "$STATE/apt-works" ] || { echo "no network"; exit 100; }
        case "$*" in *install*) for p in "$@"; do echo "$p" >>"$STATE/installed"; done ;; esac""",
    "id": 'cat "$STATE/uid"',
    "sudo": "exit 1",
    "cmake": """
        echo "cmake $*" >>"$STATE/calls"
        mkdir -p build/release && touch build/release/build.ninja build/release/CMakeCache.txt""",
    "ninja": """
        echo "ninja $*" >>"$STATE/calls"
        sleep "$(cat "$STATE/build-seconds" 2>/dev/null || echo 0)"
        echo "[1/1] Building CXX object a.o"
        [ ! -e "$STATE/broken" ] || { echo "a.cc:1: error: planted"; exit 1; }
        mkdir -p "$2/bin"
        printf '#!/bin/sh\\nprintf "<%%s>" "$@"\\nexit 7\\n' >"$2/bin/pyrometer"
        chmod +x "$2/bin/pyrometer\"""",
}


class Tree:
    """A checkout with stand-ins for the tools, and what became of them."""

    def __init__(self, folder):
        self.root = folder / "tree"
        self.state = folder / "state"
        self.bin = folder / "bin"
        for path in ("src", "cmake", "tools", "viewer"):
            (self.root / path).mkdir(parents=True)
        for path in (self.state, self.bin):
            path.mkdir()
        for name in ("pyrometer", "test", "tools/bootstrap.sh", "tools/packages.txt"):
            shutil.copy(ROOT / name, self.root / name)
        for name in ("src/a.cc", "CMakeLists.txt", "CMakePresets.json"):
            (self.root / name).touch()
        for name, body in STAND_INS.items():
            (self.bin / name).write_text(f"#!/bin/sh\n{body}\n")
            (self.bin / name).chmod(0o755)
        self.hide("npm")
        self.become(0)
        self.install_all()

    def hide(self, command):
        """Takes a command away: a PATH of links to all others."""
        self.commands = self.bin.parent / "commands"
        self.commands.mkdir()
        for folder in os.environ["PATH"].split(":"):
            for path in pathlib.Path(folder).glob("*"):
                link = self.commands / path.name
                if path.name != command and not link.is_symlink():
                    link.symlink_to(path)

    def become(self, uid):
        (self.state / "uid").write_text(f"{uid}\n")

    def install_all(self):
        (self.state / "installed").write_text("\n".join(self.packages()) + "\n")

    def packages(self):
        lines = (self.root / "tools" / "packages.txt").read_text().splitlines()
        return [line.split()[1] for line in lines if line.startswith("build ")]

    def start(self, *arguments, cwd=None, script="pyrometer"):
        environment = dict(os.environ, PATH=f"{self.bin}:{self.commands}", STATE=str(self.state))
        return subprocess.Popen(
            [self.root / script, *arguments],
            cwd=cwd or self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments, **how):
        child = self.start(*arguments, **how)
        child.out, child.err = child.communicate(timeout=600)
        return child

    def calls(self, name):
        path = self.state / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line for line in lines if line.startswith(name + " ")]


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_builds_and_becomes_the_program(tree):
    result = tree.run("run", "a b", "", "*")
    assert result.out == "<run><a b><><*>"
    assert result.returncode == 7
    assert len(tree.calls("cmake")) == 1


def test_does_nothing_when_up_to_date(tree):
    tree.run()
    result = tree.run("--version", cwd="/")
    assert result.out == "<--version>"
    assert result.err == ""
    assert len(tree.calls("ninja")) == 1


def test_an_up_to_date_build_costs_milliseconds(tree):
    tree.run()
    # CPU time: how long that takes depends on what else the machine does.
    assert min(children_cpu_seconds(tree.run) for _ in range(15)) < 0.050


def children_cpu_seconds(function):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    function()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("change", ["edit", "add", "delete", "preset", "viewer"])
def test_builds_again_after_a_change(tree, change):
    (tree.root / "src" / "b.cc").touch()
    tree.run()
    time.sleep(0.02)
    if change == "edit":
        (tree.root / "src" / "a.cc").write_text("int a;\n")
    elif change == "add":
        (tree.root / "src" / "c.cc").touch()
    elif change == "delete":
        (tree.root / "src" / "b.cc").unlink()
    elif change == "viewer":
        (tree.root / "viewer" / "main.ts").touch()
    else:
        (tree.root / "CMakePresets.json").write_text("{}\n")
    tree.run()
    assert len(tree.calls("ninja")) == 2
    assert len(tree.calls("cmake")) == 1


def test_works_through_a_symlink(tree, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(tree.root / "pyrometer")
    tree.run()
    assert subprocess.run([link, "x"], capture_output=True, text=True).stdout == "<x>"


def test_a_failed_build_shows_its_log_and_does_not_count(tree):
    (tree.state / "broken").touch()
    result = tree.run("run")
    assert result.returncode == 1
    assert result.out == ""
    assert "a.cc:1: error: planted" in result.err
    (tree.state / "broken").unlink()
    assert tree.run("run").out == "<run>"


def test_installs_missing_packages_as_root(tree):
    (tree.state / "installed").unlink()
    (tree.state / "apt-works").touch()
    assert tree.run("run").out == "<run>"
    assert set(tree.packages()) <= set(tree.calls("apt-get")[0].split())


def test_packages_of_the_viewer_do_not_count_as_a_change(tree):
    for name in ("node_modules", "dist"):
        (tree.root / "viewer" / name).mkdir()
    tree.run()
    time.sleep(0.02)
    for name in ("node_modules", "dist"):
        (tree.root / "viewer" / name / "x.js").touch()
    tree.run()
    assert len(tree.calls("ninja")) == 1


def test_a_command_that_is_there_needs_no_package(tree):
    """npm that came with another nodejs than Debian's, with which Debian's npm conflicts."""
    installed = set(tree.packages()) - {"npm", "nodejs"}
    (tree.state / "installed").write_text("\n".join(installed) + "\n")
    (tree.bin / "npm").write_text("#!/bin/sh\n")
    (tree.bin / "npm").chmod(0o755)
    assert tree.run("run").out == "<run>"
    assert tree.calls("apt-get") == []


VENV = """
    mkdir -p build/venv/bin
    printf '#!/bin/sh\\necho tests "$@"\\n' >build/venv/bin/python
    chmod +x build/venv/bin/python"""


@pytest.mark.parametrize("works", [True, False])
def test_what_only_long_tests_need_is_tried_for_them_only(tree, works):
    (tree.bin / "python3").write_text(f"#!/bin/sh\n{VENV}\n")
    (tree.bin / "python3").chmod(0o755)
    (tree.state / "apt-works").touch()
    tree.run(script="test")
    assert "libclang-rt-19-dev" not in " ".join(tree.calls("apt-get"))
    if not works:
        (tree.state / "apt-works").unlink()
    result = tree.run("--long", script="test")
    assert "libclang-rt-19-dev" in " ".join(tree.calls("apt-get"))
    assert result.out == "tests tools/run_tests.py --long\n"
    assert ("without the package libclang-rt-19-dev, tests that need it are skipped" in result.err) != works


def test_refreshes_the_package_lists_when_installing_fails(tree):
    (tree.state / "installed").unlink()
    assert tree.run().returncode == 2
    kinds = ["update" if " update" in call else "install" for call in tree.calls("apt-get")]
    assert kinds == ["install", "update"]


def test_names_the_exact_command_when_it_may_not_install(tree):
    tree.become(1000)
    packages = tree.packages()
    (tree.state / "installed").write_text("\n".join(packages[2:]) + "\n")
    result = tree.run("run")
    assert result.returncode == 2
    assert result.out == ""
    assert f"sudo apt-get install --no-install-recommends {' '.join(packages[:2])}\n" in result.err
    assert tree.calls("ninja") == []


def test_a_long_build_says_how_far_it_is(tree, monkeypatch):
    monkeypatch.setenv("PYROMETER_BEAT_SECONDS", "1")
    (tree.state / "build-seconds").write_text("2.2")
    result = tree.run("run")
    assert result.out == "<run>"
    assert re.search(r"pyrometer: configuring build/release: \d+ s\n", result.err)
    assert re.search(r"pyrometer: building, [2-9] s so far: \[1/1\] steps\n", result.err)
    assert re.search(r"pyrometer: built in \d+ s\n", result.err)


def test_a_long_installation_says_that_it_goes_on(tree, monkeypatch):
    monkeypatch.setenv("PYROMETER_BEAT_SECONDS", "1")
    (tree.state / "installed").unlink()
    (tree.state / "apt-works").touch()
    (tree.state / "apt-seconds").write_text("3.5")
    result = tree.run("run")
    assert result.out == "<run>"
    assert re.search(r"pyrometer: installing packages: [^\n]+, \d+ s so far\n", result.err)
    assert re.search(r"pyrometer: installing packages: [^\n]+: \d+ s\n", result.err)


def test_two_builds_at_once_take_turns(tree):
    (tree.state / "build-seconds").write_text("1")
    first = tree.start("one")
    deadline = time.monotonic() + 600
    while not tree.calls("ninja") and time.monotonic() < deadline:
        time.sleep(0.01)
    second = tree.run("two")
    assert "waiting for another build" in second.err
    assert second.out == "<two>"
    assert first.communicate(timeout=600)[0] == "<one>"
