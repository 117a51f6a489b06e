# SPDX-License-Identifier: Apache-2.0
"""A child Python with flags that ignore the environment, and with an environment of its own."""
import os
import subprocess
import sys

CODE = "import os, sys; print(sys.flags, sorted(os.environ), len(os.listdir('/proc/self/task')))"
CLEAN = {"PATH": os.environ.get("PATH", ""), "LANG": "C"}
for flags in ([], ["-E"], ["-I"], ["-S"], ["-O"], ["-B", "-s"]):
    for environment in (None, {}, CLEAN):
        done = subprocess.run([sys.executable, *flags, "-c", CODE], env=environment, stdout=subprocess.PIPE)
        print(flags, done.returncode, done.stdout.decode(), flush=True)
done = subprocess.run(["env", "-i", sys.executable, "-c", CODE], stdout=subprocess.PIPE)
print(done.returncode, done.stdout.decode())
