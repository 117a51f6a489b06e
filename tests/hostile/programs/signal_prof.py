# SPDX-License-Identifier: Apache-2.0
"""Death by SIGPROF, in a child and here: same status, same message."""
import os
import signal
import subprocess
import sys
import time

code = "import os; print(1, flush=True); os.kill(os.getpid(), %d)" % signal.SIGPROF
print(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE), flush=True)
os.kill(os.getpid(), signal.SIGPROF)
time.sleep(5)
