# SPDX-License-Identifier: Apache-2.0
"""gunicorn's configuration: its workers leave a note when they are ready and the master one when they are gone."""
import os


def _note(*words):
    with open(os.environ["NOTES"], "ab", buffering=0) as out:
        out.write((" ".join(map(str, words)) + "\n").encode())


def post_worker_init(worker):
    _note("ready", worker.pid)


def child_exit(server, worker):
    _note("gone", worker.pid)
