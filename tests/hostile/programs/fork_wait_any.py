# SPDX-License-Identifier: Apache-2.0
"""waitpid(-1) sees exactly the own children, then there is none left."""
import os
import subprocess
import sys

children = set()
for number in range(6):
    child = os.fork()
    if child == 0:
        os._exit(number)
    children.add(child)
codes = []
while True:
    try:
        pid, status = os.waitpid(-1, 0)
    except ChildProcessError as error:
        print("end:", error)
        break
    codes.append((pid in children, os.WEXITSTATUS(status)))
print(sorted(codes))
subprocess.run([sys.executable, "-c", "pass"], check=True)
try:
    print(os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG))
except ChildProcessError as error:
    print("end:", error)
