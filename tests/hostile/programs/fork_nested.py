# SPDX-License-Identifier: Apache-2.0
"""A chain of forks, each waits for the next and passes its exit code up."""
import os
import sys

depth = 0
while depth < 6:
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.WEXITSTATUS(status)
        os.write(1, b"depth %d got %d\n" % (depth, code))
        if depth:
            os._exit(code + 1)
        sys.exit(code)
    depth += 1
os._exit(depth)
