# SPDX-License-Identifier: Apache-2.0
"""Standard input from a pipe, read by the program and by its child."""
# stdin: first line\nsecond line\nthird line\n
import os
import subprocess
import sys

print(os.read(0, 11))
sys.stdout.flush()
print(subprocess.run(["cat"], stdout=subprocess.PIPE).stdout, sys.stdin.read())
