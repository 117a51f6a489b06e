# SPDX-License-Identifier: Apache-2.0
"""Where nothing can be written the program runs all the same, and a line says what became of the recording."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from pyrometer_tool import pyrometer, tool

PROGRAM = """
import sys, time
print("ran")
end = time.thread_time() + 0.2
while time.thread_time() < end:
    sum(range(100_000))
sys.exit(3)
"""
NO_PLACE = "/dev/null"  # nothing can be made below it, by nobody


@pytest.fixture
def homeless():
    """The environment of a user without a home."""
    return {**os.environ, "HOME": NO_PLACE, "XDG_STATE_HOME": NO_PLACE, "XDG_RUNTIME_DIR": NO_PLACE}


def ran(done):
    assert (done.returncode, done.stdout) == (3, b"ran\n"), done.stderr
    return done.stderr.decode().splitlines()


def has_report(lines):
    return any(line.startswith("pyrometer: ") and " samples" in line for line in lines)


def test_without_a_home_the_recording_is_among_the_temporary_files(tmp_path, homeless, one_python):
    homeless["TMPDIR"] = str(tmp_path)
    lines = ran(pyrometer("run", "--python", one_python.path, "-c", PROGRAM, env=homeless))
    kept = tmp_path / f"pyrometer-{os.geteuid()}" / "last.pyro"
    assert NO_PLACE in lines[-1] and lines[-1].endswith(f"the recording is in {kept}")
    assert has_report(lines)
    assert (kept.parent.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o700, 0o600)
    again = pyrometer("report", env=homeless)
    assert again.returncode == 0 and has_report(again.stdout.decode().splitlines()), again.stderr


def test_the_home_serves_where_the_state_folder_does_not(tmp_path, homeless, one_python):
    homeless["HOME"] = str(tmp_path)
    ran(pyrometer("run", "--no-report", "--python", one_python.path, "-c", PROGRAM, env=homeless))
    assert (tmp_path / ".local/state/pyrometer/last.pyro").exists()


def test_an_output_file_that_was_named_is_needed(homeless, one_python):
    output = NO_PLACE + "/x.pyro"
    done = pyrometer("run", "-o", output, "--python", one_python.path, "-c", PROGRAM, env=homeless)
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 1 and output in done.stderr.decode()


# Below, the folders for temporary files are others than those of this machine.

# The tree may be below one of them, so the program is called by another path.
MOUNTED = """
set -e
mount --bind "$TREE" /mnt
for place in $WRITABLE; do mount -t tmpfs none $place; done
for place in $READ_ONLY; do mount -t tmpfs -o ro none $place; done
test -z "$FOREIGN" || { mkdir $FOREIGN; chown 65534 $FOREIGN; }
exec "$@"
"""


def in_mounts(homeless, one_python, writable=(), read_only=(), foreign=""):
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("needs root to mount other folders")
    tree = Path(tool()).parents[1]
    program = Path("/mnt") / Path(tool()).relative_to(tree)
    command = ["unshare", "-m", "sh", "-c", MOUNTED, "sh", program, "run", "--python", one_python.path, "-c", PROGRAM]
    homeless.update(TREE=str(tree), WRITABLE=" ".join(writable), READ_ONLY=" ".join(read_only), FOREIGN=foreign)
    homeless.pop("TMPDIR", None)
    done = subprocess.run(command, env=homeless, cwd="/", capture_output=True, timeout=60)
    if b"permission denied" in done.stderr or b"Operation not permitted" in done.stderr:
        pytest.skip("may not mount here")
    return done


def test_a_recording_that_can_be_kept_nowhere_is_reported(homeless, one_python):
    lines = ran(in_mounts(homeless, one_python, writable=["/dev/shm"], read_only=["/tmp", "/var/tmp"]))
    assert has_report(lines)
    assert lines[-1].endswith("the recording was not kept")


def test_a_folder_of_somebody_else_is_not_used(homeless, one_python):
    foreign = f"/tmp/pyrometer-{os.geteuid()}"
    lines = ran(in_mounts(homeless, one_python, writable=["/tmp"], foreign=foreign))
    assert lines[-1].endswith("the recording was not kept")


def test_without_a_place_for_rings_the_program_runs_unprofiled(homeless, one_python):
    lines = ran(in_mounts(homeless, one_python, read_only=["/dev/shm", "/tmp", "/var/tmp"]))
    assert len(lines) == 1 and lines[0].startswith("pyrometer: the program runs unprofiled: "), lines


def test_rings_find_another_place(homeless, one_python):
    lines = ran(in_mounts(homeless, one_python, writable=["/tmp"], read_only=["/dev/shm"]))
    assert has_report(lines)
