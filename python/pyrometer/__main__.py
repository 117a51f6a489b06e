# SPDX-License-Identifier: Apache-2.0
"""`pyrometer` and `python -m pyrometer`: becomes the native program.

The program learns from PYROMETER_CALLER which interpreter called it, so that
`python3.9 -m pyrometer run script.py` runs the script with that Python.
"""

import os
import sys

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "pyrometer")


def main():
    environment = dict(os.environ, PYROMETER_CALLER=sys.executable)
    try:
        os.execve(PROGRAM, ["pyrometer", *sys.argv[1:]], environment)
    except OSError as error:
        print(f"pyrometer: cannot start {PROGRAM}: {error.strerror}; reinstall the package", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
