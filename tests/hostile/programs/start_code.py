# SPDX-License-Identifier: Apache-2.0
"""python -c with a failing statement."""
# run: -c 1/0
