# SPDX-License-Identifier: Apache-2.0
"""Sessions, groups, umask, working folder and nice values of children."""
import os
import subprocess
import sys

SHOW = """
import os
print(os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid(), oct(os.umask(0)), os.nice(0), os.getcwd())
"""


def ready():
    os.setpgid(0, 0)
    os.umask(0o77)
    os.nice(3)


os.makedirs("deep/er")
for options in ({"preexec_fn": ready}, {"preexec_fn": os.setsid}, {"cwd": "deep/er"}):
    print(subprocess.run([sys.executable, "-c", SHOW], stdout=subprocess.PIPE, **options).stdout)
os.umask(0o137)
open("private", "w").close()
os.chdir("deep")
os.rmdir("er")
os.rmdir("../deep")
try:
    os.getcwd()
except FileNotFoundError as error:
    print(error)
print(subprocess.run(["/bin/sh", "-c", "umask"], stdout=subprocess.PIPE).stdout)
os.setpgid(0, 0)
print(os.getpgrp() == os.getpid())
