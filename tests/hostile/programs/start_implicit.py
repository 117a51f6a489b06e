# SPDX-License-Identifier: Apache-2.0
"""A script from standard input with isolated mode and an error in it."""
# run: -I -
# stdin: {file}
import sys

print(sys.flags.isolated, sys.path[:1])
raise KeyError("missing")
