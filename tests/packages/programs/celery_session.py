# SPDX-License-Identifier: Apache-2.0
"""A Celery worker with two processes, some tasks, and its warm shutdown. argv: folder, tasks."""
import os
import signal
import subprocess
import sys

from burning import tell_everything

PATIENCE_SECONDS = 600
WORKER = "-A celery_tasks worker -P prefork -c 2 -l ERROR --without-gossip --without-mingle --without-heartbeat"


def main(folder, count):
    os.environ["FOLDER"] = folder
    for name in ("queue", "control", "results"):
        os.mkdir(os.path.join(folder, name))
    import celery_tasks

    # What the worker says about itself depends on the machine.
    worker = subprocess.Popen([sys.executable, "-m", "celery", *WORKER.split()], stdout=subprocess.DEVNULL)
    results = [(celery_tasks.red, celery_tasks.blue)[index % 2].delay(index) for index in range(count)]
    print([result.get(timeout=PATIENCE_SECONDS, interval=0.05) for result in results])
    worker.send_signal(signal.SIGTERM)
    print("the worker ends with", worker.wait(PATIENCE_SECONDS))
    tell_everything()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
