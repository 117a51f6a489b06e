# SPDX-License-Identifier: Apache-2.0
"""python -m of a module on PYTHONPATH-less sys.path, here the standard library's own."""
# run: -m json.tool
# stdin: {"b": [1, 2], "a": null}
