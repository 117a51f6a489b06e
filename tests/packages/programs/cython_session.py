# SPDX-License-Identifier: Apache-2.0
"""Runs cython_lines, compiled into the folder argv[1]. argv[2]: rounds."""
import sys

sys.path.insert(0, sys.argv[1])

import cython_lines  # noqa: E402

cython_lines.main(int(sys.argv[2]))
