# SPDX-License-Identifier: Apache-2.0
"""sys.exit with a number, a text, None and a large number, in children and here."""
import subprocess
import sys

for text in ("0", "3", "256", "-1", "'text'", "None", "(1, 2)", "True", "2.5"):
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.exit({text})"], stderr=subprocess.PIPE)
    print(text, done.returncode, done.stderr)
sys.exit("the last words")
