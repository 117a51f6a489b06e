# SPDX-License-Identifier: Apache-2.0
"""A script from standard input named -, which reads the rest of its input itself."""
# run: -
# stdin: {file}
import sys

print(sys.argv, __name__, globals().get("__file__"), sys.stdin.read())
sys.exit(3)
