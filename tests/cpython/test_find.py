# SPDX-License-Identifier: Apache-2.0
"""The interpreter of a process, found from outside by its pid, against what the process itself and
the agent inside it say."""

import fcntl
from pathlib import Path

import pytest
from interpreters import interpreters
from probe import blocked_target, probe, walk_probe


@pytest.fixture
def session(tmp_path):
    """A folder that somebody collects from."""
    with open(tmp_path / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield tmp_path


def agent_library():
    build = next(folder for folder in Path(walk_probe()).parents if (folder / "lib").is_dir())
    return str(build / "lib" / "libpyrometer_agent.so")


@pytest.mark.parametrize("python", interpreters(), ids=lambda python: python.name)
def test_found_from_outside_as_from_inside(python, session, monkeypatch):
    with monkeypatch.context() as patch:
        if not python.root:
            patch.setenv("LD_PRELOAD", agent_library())
            patch.setenv("PYROMETER_RECORD", f"session={session}")
        target = blocked_target(python, "plain")
        truth = target.__enter__()
    try:
        rings = list(session.glob("*.ring"))
        assert len(rings) == (0 if python.root else 1)
        found = probe("walk_probe", "find", truth, ring=str(rings[0]) if rings else "")
    finally:
        target.__exit__(None, None, None)
    assert found["supported"]
    assert found["version"] == truth["version"]
    assert found["runtime"] == truth["runtime"]
    assert found["types"] == {name: truth["types"][name] for name in found["types"]}
    assert found["eval_bytes"] > 500  # where its opcodes are functions of their own, not much is left
    assert found["agrees"] is (None if python.root else True)
