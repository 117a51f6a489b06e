# SPDX-License-Identifier: Apache-2.0
"""Forty children at once, in threads, with pipes in both directions."""
import concurrent.futures
import subprocess
import sys

CODE = "import sys; sys.stdout.write(sys.stdin.read()[::-1]); sys.exit(%d)"


def run(number):
    done = subprocess.run(
        [sys.executable, "-S", "-c", CODE % number], input=b"text %d" % number, stdout=subprocess.PIPE
    )
    return done.returncode, done.stdout


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(list(pool.map(run, range(20))))
