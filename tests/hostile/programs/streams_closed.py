# SPDX-License-Identifier: Apache-2.0
"""Standard descriptors closed before a child Python starts: it opens files in their place."""
import os
import subprocess
import sys

CODE = "import os, sys; f = open('seen', 'a'); " \
    "f.write(repr([sys.stdin is None, sys.stdout is None, sys.stderr is None, f.fileno(), " \
    "sorted(map(int, os.listdir('/proc/self/fd')))[:-1]]) + chr(10))"
for closed in ([0], [1], [2], [0, 1], [0, 1, 2]):
    def close(closed=closed):
        for number in closed:
            os.close(number)

    subprocess.run([sys.executable, "-c", CODE], preexec_fn=close)
print(open("seen").read())
os.close(2)
os.close(0)
print(os.open("/dev/null", os.O_RDONLY), os.open("/dev/null", os.O_RDWR))
