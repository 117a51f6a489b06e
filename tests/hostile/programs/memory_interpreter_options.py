# SPDX-License-Identifier: Apache-2.0
"""The interpreter's own allocators and checks of allocators: PYTHONMALLOC, -X dev, -X tracemalloc."""
import os
import subprocess
import sys

CODE = """
import sys, threading, tracemalloc
kept = [bytes(n) for n in range(1500)]
thread = threading.Thread(target=lambda: kept.extend(bytearray(n) for n in range(1500)))
thread.start()
thread.join()
kept += [[] for n in range(1000)]
text = ""
for n in range(5000): text += "ab"
del kept[::2]
print(len(kept), len(text), tracemalloc.is_tracing(), sys.flags.dev_mode)
if tracemalloc.is_tracing():
    large = bytearray(1 << 20)
    print(tracemalloc.get_object_traceback(large)[-1].lineno, tracemalloc.get_traced_memory()[0] > 1 << 20)
"""
for options, environment in (
    ([], {"PYTHONMALLOC": "malloc"}),
    ([], {"PYTHONMALLOC": "debug"}),
    ([], {"PYTHONMALLOC": "malloc_debug"}),
    (["-X", "tracemalloc=5"], {}),
    (["-X", "dev", "-X", "tracemalloc"], {"PYTHONMALLOC": "malloc"}),
):
    done = subprocess.run(
        [sys.executable, "-S", *options, "-c", CODE],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    print(options, environment, done.returncode, done.stdout)
