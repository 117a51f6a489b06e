# SPDX-License-Identifier: Apache-2.0
"""Children by os.fork: their order, output and exit codes."""
import os
import sys

for number in range(5):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        print("child", number, sum(range(20000)))
        sys.stdout.flush()
        os._exit(number)
    seen, status = os.waitpid(child, 0)
    print("same" if seen == child else "foreign", os.WIFEXITED(status), os.WEXITSTATUS(status))
