# SPDX-License-Identifier: Apache-2.0
"""A script that starts by its #! line, also through env, and os.execv of it."""
import os
import subprocess
import sys

BODY = "import sys\nprint(sys.argv, sys.argv[0] == __file__)\nsys.exit(len(sys.argv))\n"
for name, line in (("direct", sys.executable), ("flags", sys.executable + " -I"), ("env", "/usr/bin/env python3")):
    with open(name, "w") as file:
        file.write(f"#!{line}\n" + BODY)
    os.chmod(name, 0o755)
path = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
for name in ("direct", "flags", "env"):
    done = subprocess.run(["./" + name, "x"], stdout=subprocess.PIPE, env={**os.environ, "PATH": path})
    print(done.returncode, done.stdout, flush=True)
os.execv("./direct", ["direct", "a", "b", "c"])
