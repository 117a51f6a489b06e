# SPDX-License-Identifier: Apache-2.0
"""Flags, arguments, paths and modules as the program sees them."""
# run: -X dev -W ignore -u {file} --rate 3 -o x
import gc
import sys

print(sys.flags, sys.argv, getattr(sys, "orig_argv", None), sys._xoptions, sys.warnoptions)
print(sys.path, __file__, __name__, __package__, __spec__)
print(sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.flags.hash_randomization)
print(sorted(sys.modules), len(sys.meta_path), len(sys.path_hooks))
print(gc.get_threshold(), gc.callbacks, sys.getswitchinterval(), sys.getrecursionlimit())
print(open(__file__).readline(), sys.stdout.line_buffering, sys.stdout.encoding)
