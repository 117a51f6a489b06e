# SPDX-License-Identifier: Apache-2.0
"""Signal actions as libc tells them: as Python leaves them, and as the program sets them."""
import ctypes
import signal

libc = ctypes.CDLL(None, use_errno=True)
libc.signal.restype = ctypes.c_void_p
HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_int)
seen = []
handler = HANDLER(lambda number: seen.append(number))
libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]


class Action(ctypes.Structure):
    _fields_ = [
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    ]


def ask(number):
    action = Action()
    result = libc.sigaction(number, None, ctypes.byref(action))
    return result, action.handler if action.handler in (None, 1) else "handler", action.flags, list(action.mask)[:1]


for number in range(0, 67):
    print(number, ask(number))
address = ctypes.cast(handler, ctypes.c_void_p).value
for number in (signal.SIGUSR1, signal.SIGPROF, signal.SIGRTMIN, signal.SIGRTMAX, signal.SIGSEGV):
    print(libc.signal(number, address), libc.signal(number, address) == address)
    getattr(libc, "raise")(number)
    print(ask(number))
print(seen)
