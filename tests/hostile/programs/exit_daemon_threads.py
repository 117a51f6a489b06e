# SPDX-License-Identifier: Apache-2.0
"""Daemon threads that burn, sleep and allocate while the interpreter ends."""
import threading
import time


def burn():
    while True:
        sum(range(100))


def allocate():
    while True:
        [bytearray(1000) for _ in range(100)]


for target in (burn, allocate, lambda: time.sleep(100)):
    for _ in range(3):
        threading.Thread(target=target, daemon=True).start()
time.sleep(0.1)
print("end")
raise SystemExit(8)
