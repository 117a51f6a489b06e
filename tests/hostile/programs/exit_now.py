# SPDX-License-Identifier: Apache-2.0
"""os._exit: no flush, no atexit, no finally."""
import atexit
import os

atexit.register(print, "never")
os.write(1, b"written\n")
print("lost in the buffer")
try:
    os._exit(77)
finally:
    print("never")
