# SPDX-License-Identifier: Apache-2.0
# needs: HOSTILE_ALLOCATION_CALLS
"""What the C library and the kernel can do without moving a block stays so."""
import ctypes
import os

calls = ctypes.CDLL(os.environ["HOSTILE_ALLOCATION_CALLS"])
size = ctypes.c_size_t
COUNT = 100
# The first few may find a free block of the right size elsewhere.
print([calls.GrownInPlace(size(old), size(new), COUNT) > COUNT - 10 for old, new in ((30000, 60000), (90000, 120000))])
print([calls.ShrunkInPlace(size(old), size(new)) for old, new in ((1000, 100), (100000, 500), (1 << 26, 1 << 23))])
print([calls.RemappedInPlace(size(pages)) for pages in (2, 5, 16)])
