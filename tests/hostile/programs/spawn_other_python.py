# SPDX-License-Identifier: Apache-2.0
"""Another Python version as child, which starts the first one again."""
import os
import subprocess
import sys

other = os.environ.get("HOSTILE_OTHER_PYTHON", sys.executable)
inner = "import sys; print(sys.version_info[:2], sys.flags.isolated); sys.exit(4)"
outer = f"import subprocess, sys; print(sys.version_info[:2], flush=True)\n" \
    f"sys.exit(subprocess.call([{sys.executable!r}, '-I', '-c', {inner!r}]))"
print(subprocess.run([other, "-c", outer], stdout=subprocess.PIPE, stderr=subprocess.PIPE))
