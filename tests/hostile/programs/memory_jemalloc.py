# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_JEMALLOC
# preload: HOSTILE_JEMALLOC
"""An allocator that the user has preloaded serves all requests, also those of children, and gets back its own blocks."""
import ctypes
import os
import subprocess
import sys
import threading
import warnings

warnings.simplefilter("ignore")  # about the fork; they name the process
process = ctypes.CDLL(None)
for name in ("malloc", "calloc", "realloc", "aligned_alloc"):
    getattr(process, name).restype = ctypes.c_void_p
process.free.argtypes = process.malloc_usable_size.argtypes = [ctypes.c_void_p]
process.realloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def allocated():
    """By jemalloc's own account."""
    epoch, value = ctypes.c_uint64(1), ctypes.c_size_t()
    length = ctypes.c_size_t(ctypes.sizeof(value))
    process.mallctl(b"epoch", None, None, ctypes.byref(epoch), ctypes.c_size_t(8))
    answer = process.mallctl(b"stats.allocated", ctypes.byref(value), ctypes.byref(length), None, ctypes.c_size_t(0))
    return value.value if answer == 0 else -1


def megabytes(more):
    """To the nearest: small objects come and go meanwhile."""
    return round(more / (1 << 20))


# Size classes of jemalloc, not of the C library.
print([process.malloc_usable_size(process.malloc(bytes_)) for bytes_ in (1, 17, 100, 1000, 5000, 100000)])
before = allocated()
block = process.malloc(10 << 20)
print(megabytes(allocated() - before), process.malloc_usable_size(block) >> 20)
block = process.realloc(block, 30 << 20)
print(megabytes(allocated() - before))
process.free(block)
print(megabytes(allocated() - before), process.aligned_alloc(4096, 8192) % 4096)
large = [bytearray(1 << 20) for _ in range(20)]
print(megabytes(allocated() - before))
threads = [threading.Thread(target=lambda: [bytes(n) for n in range(0, 100000, 100)]) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
child = os.fork()
if child == 0:
    large.clear()
    os._exit(len([bytearray(1 << 19) for _ in range(7)]))
print(os.waitpid(child, 0)[1])
code = "import ctypes; p = ctypes.CDLL(None); print(hasattr(p, 'mallctl'), len(bytearray(1 << 24)))"
print(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True).stdout)
print(os.path.basename(os.environ["LD_PRELOAD"]))
