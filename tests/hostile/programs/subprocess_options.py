# SPDX-License-Identifier: Apache-2.0
"""subprocess with sessions, closed or passed descriptors, preexec_fn, timeouts and killed children."""
import os
import signal
import subprocess
import sys

python = [sys.executable, "-c"]
descriptors = "import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])"
reader, writer = os.pipe()
os.dup2(writer, 50)
for options in (
    {},
    {"close_fds": False},
    {"pass_fds": [50]},
    {"start_new_session": True},
    {"preexec_fn": lambda: os.close(0)},
    {"restore_signals": False},
):
    done = subprocess.run(python + [descriptors], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    print(list(options), done.returncode, done.stdout, done.stderr)
for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGABRT):
    code = f"import os, signal; signal.signal(2, signal.SIG_DFL); os.kill(os.getpid(), {int(number)})"
    print(subprocess.run(python + [code]).returncode)
try:
    subprocess.run(python + ["import time; time.sleep(60)"], timeout=0.2)
except subprocess.TimeoutExpired:
    print("timeout")
print(subprocess.run(python + ["import os; print(os.getsid(0) == os.getpid())"],
                     start_new_session=True, stdout=subprocess.PIPE).stdout)
