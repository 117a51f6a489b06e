# SPDX-License-Identifier: Apache-2.0
"""dlopen and dlclose in a loop, dlsym of what a profiler may hook, dladdr of it."""
import _ctypes
import ctypes
import ctypes.util
import sys

name = ctypes.util.find_library("z") or ctypes.util.find_library("m")
for _ in range(200):
    handle = _ctypes.dlopen(name, 2)
    _ctypes.dlclose(handle)
libc = ctypes.CDLL(None)
hooked = ("malloc", "free", "pthread_create", "sigaction", "fork", "execve", "dlopen")
print(all(hasattr(libc, name) for name in hooked))
try:
    ctypes.CDLL("libdoesnotexist.so.1")
except OSError as error:
    print(error)
print(hasattr(libc, "pyrometer_start"), hasattr(libc, "no_such_symbol"), sys.getdlopenflags())
libc.malloc.restype = libc.calloc.restype = libc.realloc.restype = ctypes.c_void_p
libc.realloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
block = libc.calloc(1000, 100)
print(ctypes.string_at(block, 100000) == bytes(100000))
block = libc.realloc(block, 1 << 22)
print(ctypes.string_at(block, 100000) == bytes(100000), libc.free(block) is not None)
