# SPDX-License-Identifier: Apache-2.0
"""A script that does not exist: Python's own message and exit code 2."""
# run: does_not_exist.py
