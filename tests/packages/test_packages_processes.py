# SPDX-License-Identifier: Apache-2.0
"""Servers and pools that start their own processes: each in the profile, with its time, parent and end."""

import signal

from sessions import PROGRAMS, same_as_bare

LOOPS = 200_000
WORKERS = (1, 2)  # of two, those that have had work: how they share it is up to them


def end_of(process):
    return process.data["exit"]["code"], process.data["exit"]["signal"]


def test_gunicorn(python, tmp_path):
    gunicorn(python, tmp_path, "sync")


def test_gunicorn_with_threads(recent_python, tmp_path):
    gunicorn(recent_python, tmp_path, "gthread")


def gunicorn(python, tmp_path, worker_class):
    words = [PROGRAMS / "gunicorn_session.py", "{folder}", worker_class, 20]
    session = same_as_bare(words, python, tmp_path, LOOPS=str(LOOPS))
    session.assert_right(PROGRAMS / "wsgi.py")
    ready = {
        int(line.split()[1])
        for line in (tmp_path / "p" / "notes").read_text().splitlines()
        if line.startswith("ready")
    }
    assert len(ready) == 5 and session.burned.pids() <= ready
    first = session.report.process
    (master,) = {p.pid for p in session.report.processes if p.data["parent_pid"] == first.pid}
    workers = [p for p in session.report.processes if p.data["parent_pid"] == master]
    assert {p.pid for p in workers} == ready
    assert end_of(first) == (0, None)
    # Until they are gone, the master sends SIGTERM again and again: it may meet one that has no handler any more.
    assert {end_of(p) for p in workers} <= {(0, None), (None, signal.SIGTERM)}


def test_celery(recent_python, tmp_path):
    words = [PROGRAMS / "celery_session.py", "{folder}", 20]
    session = same_as_bare(words, recent_python, tmp_path, LOOPS=str(LOOPS))
    session.assert_right(PROGRAMS / "celery_tasks.py")
    assert len(session.burned.pids()) in WORKERS


def test_xdist(recent_python, tmp_path):
    # Without the settings of the suite that this file belongs to.
    alone = ["-c", "/dev/null", "--rootdir", "{folder}", "--noconftest", "-p", "no:cacheprovider"]
    words = ["-m", "pytest", "-q", "-n", "2", "--tb=line", *alone, PROGRAMS / "xdist_cases.py"]
    session = same_as_bare(words, recent_python, tmp_path, LOOPS=str(LOOPS))
    session.assert_right(PROGRAMS / "xdist_cases.py")
    workers = [p for p in session.report.processes if p.pid in session.burned.pids()]
    assert {p.data["parent_pid"] for p in workers} == {session.report.process.pid}


def test_joblib(recent_python, tmp_path):
    session = same_as_bare([PROGRAMS / "joblib_squares.py", 16, 2 * LOOPS], recent_python, tmp_path)
    session.assert_right(PROGRAMS / "joblib_squares.py")
    assert len(session.burned.pids()) in WORKERS
