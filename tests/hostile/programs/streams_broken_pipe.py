# SPDX-License-Identifier: Apache-2.0
"""Output into a pipe whose reader has gone: the message and the exit code 120 or 1 are Python's own."""
import os
import subprocess
import sys

for code in ("for i in range(100000): print(i)", "print('x')", "import sys; sys.stdout.write('y' * 100)"):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    print(done.returncode, done.stderr.decode())
sys.stdout.flush()
reader, writer = os.pipe()
os.close(reader)
os.dup2(writer, 1)
print("nobody reads this")
