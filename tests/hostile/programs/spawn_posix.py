# SPDX-License-Identifier: Apache-2.0
"""posix_spawn, posix_spawnp and os.spawnv, with attributes and file actions."""
import os
import signal
import sys

code = "import os, signal; print(sorted(map(int, signal.pthread_sigmask(0, []))), os.getpgrp() == os.getpid())"
actions = [(os.POSIX_SPAWN_OPEN, 1, "spawned.txt", os.O_WRONLY | os.O_CREAT, 0o640)]
for options in ({}, {"setpgroup": 0}, {"setsigmask": [signal.SIGUSR1]}, {"setsigdef": [signal.SIGPIPE]}):
    child = os.posix_spawn(sys.executable, [sys.executable, "-c", code], os.environ, **options)
    print(os.waitpid(child, 0)[1], flush=True)
child = os.posix_spawn(sys.executable, [sys.executable, "-c", code], os.environ, file_actions=actions)
print(os.waitpid(child, 0)[1], open("spawned.txt").read(), flush=True)
print(os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", "raise SystemExit(5)"]))
try:
    os.posix_spawn("/does/not/exist", ["x"], {})
except OSError as error:
    print(error)
child = os.posix_spawnp("sh", ["sh", "-c", "exit 6"], {})
print(os.waitpid(child, 0)[1] >> 8)
