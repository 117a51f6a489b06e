# SPDX-License-Identifier: Apache-2.0
"""pyrometer: where a Python program spends its time, measured from outside.

    python -m pyrometer run script.py

The profiler itself is a native program inside this package; importing the
package starts nothing and changes nothing.
"""

from importlib.metadata import version

__version__ = version("pyrometer")
__all__ = ["__version__"]
