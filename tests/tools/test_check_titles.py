# SPDX-License-Identifier: Apache-2.0
"""tools/check_titles finds commits that do not say where and what, and leaves trees without a history alone."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAST = 50
SOUND = "agent, capture/probes: names of threads are read once"
WHO = {f"GIT_{role}_{what}": "someone@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="no git")


def git(folder, *arguments, **options):
    environment = dict(os.environ, **WHO, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, env=environment, **options)


@pytest.fixture
def history(tmp_path):
    """Makes a tree whose commits have these titles; the last is the newest."""

    def make(*titles):
        git(tmp_path, "init", "-q", "-b", "main")
        commits = [f"commit refs/heads/main\ncommitter a <a@example.org> {i} +0000\ndata <<E\n{title}\nE\n" for i, title in enumerate(titles)]
        git(tmp_path, "fast-import", "--quiet", input="\n".join(commits).encode())
        return tmp_path

    return make


def check(root):
    return subprocess.run([sys.executable, ROOT / "tools" / "check_titles", "--root", root], capture_output=True, text=True)


def test_sound_titles_pass(history):
    done = check(history(*[SOUND] * LAST))
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("title", ["Fixes things", "agent:", "Agent: does it", "agent: does it.", "agent and capture: do it"])
def test_a_planted_title_is_found(history, title):
    done = check(history(*[SOUND] * LAST, title))
    assert done.returncode == 1
    assert done.stdout.endswith(f": not `component: what it does now`: {title}\n")


def test_what_was_before_is_left_alone(history):
    assert check(history("Long ago", *[SOUND] * LAST)).returncode == 0


def test_a_merge_needs_no_component(history):
    root = history(*[SOUND] * LAST)
    git(root, "checkout", "-q", "-b", "side", "main~1")
    git(root, "commit", "-q", "--allow-empty", "-m", SOUND)
    git(root, "merge", "-q", "--no-ff", "-m", "Merge branch main", "main")
    assert check(root).returncode == 0


@pytest.mark.parametrize("tree", ["archive", "short", "shallow"])
def test_without_a_history_it_says_so(history, tmp_path_factory, tree):
    folder = tmp_path_factory.mktemp("other")
    if tree == "short":
        folder = history(*["Imported"] * (LAST - 1))
    elif tree == "shallow":
        git(folder, "clone", "-q", f"--depth={LAST}", history(*["Imported"] * (LAST + 1)).as_uri(), folder / "clone")
        folder /= "clone"
    done = check(folder)
    assert (done.returncode, done.stdout) == (77, "there is no history\n")
