# SPDX-License-Identifier: Apache-2.0
"""RLIMIT_AS: a MemoryError, its message, and life after it."""
import resource
import subprocess
import sys

CODE = """
import sys
blocks = []
try:
    while True:
        blocks.append(bytearray(1 << 24))
except MemoryError as error:
    count = len(blocks)
    del blocks
    print("MemoryError", error, count > 3)
print(len(bytearray(1 << 20)), sum(range(100000)))
x = bytearray(1 << 40)
"""
done = subprocess.run(
    [sys.executable, "-S", "-c", CODE],
    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29)),
)
print(done.returncode, done.stdout, done.stderr.decode(), flush=True)
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
try:
    "x" * (1 << 34)
except MemoryError as error:
    print(repr(error))
bytes(1 << 34)
