# SPDX-License-Identifier: Apache-2.0
"""File locks, socketpairs, shared maps and temporary folders between parent and child."""
import fcntl
import mmap
import os
import socket
import tempfile

with open("lock", "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    fcntl.lockf(file, fcntl.LOCK_EX)
    near, far = socket.socketpair()
    shared = mmap.mmap(-1, 4096)
    child = os.fork()
    if child == 0:
        other = open("lock", "r+")
        for lock in (fcntl.flock, fcntl.lockf):
            try:
                lock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                far.send(type(error).__name__.encode() + b" ")
        shared[:4] = b"done"
        far.send(b"end")
        os._exit(0)
    os.waitpid(child, 0)
    print(near.recv(1000), shared[:4])
with tempfile.TemporaryDirectory() as folder:
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        print(len(os.listdir(folder)), os.path.exists(file.name))
print(os.listdir("."), len(os.listdir(tempfile.gettempdir())))
