# SPDX-License-Identifier: Apache-2.0
"""pty.fork: the child has a terminal of its own."""
import os
import pty

child, terminal = pty.fork()
if child == 0:
    print(os.isatty(0), os.isatty(1), os.getpid() == os.getsid(0), flush=True)
    os._exit(9)
text = b""
while True:
    try:
        piece = os.read(terminal, 1000)
    except OSError:
        break
    if not piece:
        break
    text += piece
print(text, os.waitpid(child, 0)[1] >> 8)
