# SPDX-License-Identifier: Apache-2.0
"""A failed exec leaves everything as it was."""
import os
import time

with open("text", "w") as file:
    file.write("no program")
os.chmod("text", 0o755)
for path in ("/does/not/exist", "text", "/"):
    try:
        os.execv(path if path != "text" else "./text", ["x"])
    except OSError as error:
        print(error)
deadline = time.process_time() + 0.1
while time.process_time() < deadline:
    pass
print(len(os.listdir("/proc/self/task")), sorted(map(int, os.listdir("/proc/self/fd")))[:-1])
