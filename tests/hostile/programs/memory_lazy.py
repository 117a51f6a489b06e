# SPDX-License-Identifier: Apache-2.0
"""Memory that is asked for and never touched is never there: calloc, bytes, mmap, each most of the machine's RAM."""
import ctypes
import mmap
import os

PAGE = os.sysconf("SC_PAGE_SIZE")
# Together more than there is; each as large as the kernel grants without being told to overcommit.
LARGE = min(64 << 30, PAGE * os.sysconf("SC_PHYS_PAGES") * 3 // 4) & -PAGE


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * PAGE


libc = ctypes.CDLL(None)
libc.calloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
before = resident()
blocks = [libc.calloc(1, ctypes.c_size_t(LARGE)), libc.calloc(ctypes.c_size_t(LARGE // 4096), 4096)]
print([block is not None for block in blocks], ctypes.c_char.from_address(blocks[0] + LARGE // 2).value)
arrays = [bytes(LARGE), mmap.mmap(-1, LARGE)]
print([len(array) == LARGE and array[LARGE // 3] for array in arrays])
print(resident() - before < 16 << 20)
for block in blocks:
    libc.free(block)
arrays[1].close()
del arrays
# The pages of a block that was given back and asked for again are zero, without a write to each.
with_data = bytearray(b"x" * (1 << 20))
del with_data
print(bytearray(1 << 20).count(0) == 1 << 20, resident() - before < 24 << 20)
