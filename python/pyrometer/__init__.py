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

Without the profiler these functions do nothing.
"""

__all__ = ["is_recording", "pause", "start", "stop"]

_QUERY, _START, _PAUSE, _STOP = range(4)
_control = None


def _call(command):
    """The state of the recording after a command: 0 none, 1 on, 2 paused, 3 stopped."""
    global _control
    if _control is None:
        # A native program is a rare dependency: load ctypes only when it is asked for.
        import ctypes

        _control = getattr(ctypes.CDLL(None), "pyrometer_control", lambda command: 0)
    return _control(command)


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
