# SPDX-License-Identifier: Apache-2.0
"""Runs a target under an interpreter and asks walk_probe or task_probe about it."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPLETE, TRUNCATED, NO_FRAMES, TORN = range(4)


def walk_probe():
    """Path of the probe: $PYROMETER_WALK_PROBE, or that of the newest build of this tree."""
    named = os.environ.get("PYROMETER_WALK_PROBE")
    if named:
        return named
    builds = list(HERE.parent.parent.glob("build*/**/walk_probe"))
    if not builds:
        raise FileNotFoundError("walk_probe is not built; build it or set PYROMETER_WALK_PROBE")
    return str(max(builds, key=os.path.getmtime))


@contextlib.contextmanager
def script_for(python, source):
    """`source` as a path that `python` can open."""
    if not python.root:
        yield str(source)
        return
    with tempfile.TemporaryDirectory(dir=os.path.join(python.root, "tmp")) as folder:
        copy = shutil.copy(source, folder)
        yield python.inside(copy)


@contextlib.contextmanager
def blocked_target(python, case, target="stack_target.py"):
    """The truth told by a target that stays blocked in `case` meanwhile."""
    with script_for(python, HERE / target) as script:
        process = subprocess.Popen(
            [*python.command, "-X", "utf8", script, case],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(process.stderr.read().decode()[-2000:])
            yield json.loads(line)
        finally:
            process.kill()
            process.communicate()


def probe(program, verb, truth, **options):
    """What `program`, built beside walk_probe, says about the target now."""
    request = {key: truth[key] for key in ("pid", "version", "runtime", "types")}
    done = subprocess.run(
        [os.path.join(os.path.dirname(walk_probe()), program), verb],
        input=json.dumps({**request, **options}).encode(),
        capture_output=True,
        timeout=600,
        check=True,
    )
    return json.loads(done.stdout)


def walk(truth, room=32768):
    """The thread states that walk_probe sees in the target now."""
    return probe("walk_probe", "walk", truth, room=room)["threads"]
