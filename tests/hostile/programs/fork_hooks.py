# SPDX-License-Identifier: Apache-2.0
"""os.register_at_fork calls come in the documented order, in parent and child."""
import os
import sys

seen = []
for name in ("first", "second"):
    os.register_at_fork(
        before=lambda name=name: seen.append("before " + name),
        after_in_child=lambda name=name: seen.append("child " + name),
        after_in_parent=lambda name=name: seen.append("parent " + name),
    )
child = os.fork()
if child == 0:
    print(seen)
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
print(seen)
