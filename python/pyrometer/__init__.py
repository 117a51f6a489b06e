# SPDX-License-Identifier: Apache-2.0
"""pyrometer: where a Python program spends its time, measured from outside.

    python -m pyrometer run script.py

The profiler itself is a native program inside this package; importing the
package starts nothing and changes nothing. In a program that runs under
pyrometer it can switch the recording on and off:

    pyrometer run --off program.py

    import pyrometer
    pyrometer.start()
    ...
    pyrometer.pause()

and give names to parts of its work:

    with pyrometer.region("load"):
        ...

and choose the functions whose lines the report shows:

    @pyrometer.profile
    def parse(text):
        ...

Without the profiler all of this does nothing.
"""

from time import monotonic_ns as _monotonic_ns
from time import thread_time_ns as _thread_time_ns

__all__ = ["is_recording", "pause", "profile", "region", "start", "stop"]

_QUERY, _START, _PAUSE, _STOP = range(4)
_agent = None


class _NoAgent:
    """What there is to call in a program that is not profiled."""

    @staticmethod
    def pyrometer_control(command):
        return 0

    pyrometer_profile = None
    pyrometer_region = None


def _find_agent():
    global _agent
    if _agent is None:
        import ctypes  # not before it is needed: it is slow to import

        library = ctypes.CDLL(None)
        if hasattr(library, "pyrometer_region"):
            library.pyrometer_region.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64)
            library.pyrometer_region.restype = None
            # Unlike the others it looks at Python objects, so it needs the GIL.
            library.pyrometer_profile = ctypes.PyDLL(None).pyrometer_profile
            library.pyrometer_profile.argtypes = (ctypes.py_object,)
            library.pyrometer_profile.restype = None
            _agent = library
        else:
            _agent = _NoAgent
    return _agent


def _call(command):
    """The state of the recording after a command: 0 none, 1 on, 2 paused, 3 stopped."""
    return _find_agent().pyrometer_control(command)


class region:
    """A region: a named part of the work, for the report: how often, how long, how much CPU time of its thread.

    Use it with `with`. It may be nested, and used by several threads at once, each with an object of its own.
    """

    __slots__ = ("_begin", "_cpu", "_name", "_report")

    def __init__(self, name):
        self._name = str(name).encode("utf-8", "replace").replace(b"\0", b"?")
        self._report = _find_agent().pyrometer_region

    def __enter__(self):
        self._begin = _monotonic_ns()
        self._cpu = _thread_time_ns()
        return self

    def __exit__(self, *exception):
        if self._report is not None:
            self._report(self._name, self._begin, self._cpu)


def profile(function=None):
    """Marks a function, or the functions of a class, and returns it unchanged: a decorator.

    With at least one of them in a run, the report shows the lines of marked functions only.
    """
    if function is None:  # @profile()
        return profile
    mark = _find_agent().pyrometer_profile
    if mark is not None:
        mark(function)
    return function


def start():
    """Switches the recording of this process on."""
    _call(_START)


def pause():
    """Switches the recording of this process off, until start()."""
    _call(_PAUSE)


def stop():
    """Ends the recording of this process; the program goes on."""
    _call(_STOP)


def is_recording():
    """Whether this process is being recorded right now."""
    return _call(_QUERY) == 1


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import version

        return version("pyrometer")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
