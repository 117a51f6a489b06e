# SPDX-License-Identifier: Apache-2.0
"""Hundreds of forks that become another program at once: each ends with its own status."""
import os

statuses = {}
for number in range(300):
    child = os.fork()
    if child == 0:
        os.execv("/bin/sh", ["sh", "-c", "exit 3"])
    status = os.waitpid(child, 0)[1]
    statuses[status] = statuses.get(status, 0) + 1
print(statuses)
