# SPDX-License-Identifier: Apache-2.0
"""Two tasks of Celery; broker and results are files in $FOLDER."""
import os

from burning import Burning
from celery import Celery

FOLDER = os.environ["FOLDER"]
LOOPS = int(os.environ["LOOPS"])

app = Celery("celery_tasks", broker="filesystem://", backend=f"file://{FOLDER}/results")
app.conf.update(
    broker_transport_options={
        "data_folder_in": f"{FOLDER}/queue",
        "data_folder_out": f"{FOLDER}/queue",
        "control_folder": f"{FOLDER}/control",
        "polling_interval": 0.02,
    },
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=False,
)


@app.task
def red(index):
    x = index
    with Burning("red"):
        for i in range(LOOPS): x = (x * 31 + i) & 0xFFFF  # mark: red
    return x


@app.task
def blue(index):
    x = index
    with Burning("blue"):
        for i in range(3 * LOOPS): x = (x * 31 + i) & 0xFFFF  # mark: blue
    return x
