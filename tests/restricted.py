# SPDX-License-Identifier: Apache-2.0
"""Starts a command with fewer rights: restricted.py [--forbid-perf] [--user UID] COMMAND..."""

import ctypes
import errno
import os
import platform
import struct
import sys

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000


def forbid_perf():
    """perf_event_open answers EPERM from here on, as in most containers."""
    number = PERF_EVENT_OPEN[platform.machine()]
    program = [
        (LOAD_WORD, 0, 0, 0),
        (JUMP_IF_EQUAL, 0, 1, number),
        (RETURN, 0, 0, FAIL | errno.EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in program))

    class Filter(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    rules = Filter(len(program), ctypes.addressof(code))
    for call in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(rules), 0, 0),
    ):
        if libc.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), "prctl")


def become(uid):
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    os.environ["HOME"] = "/"


def main(args):
    if args[0] == "--forbid-perf":
        forbid_perf()
        args = args[1:]
    if args[0] == "--user":
        become(int(args[1]))
        args = args[2:]
    os.execvp(args[0], args)


if __name__ == "__main__":
    main(sys.argv[1:])
