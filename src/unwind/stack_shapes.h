// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Functions with the frames that unwinding gets wrong first, for tests. Each
// calls `leaf` from its own frame and does something afterwards, so that it
// cannot be a tail call. Built without frame pointers.
namespace pyrometer::unwind::shapes {

using Leaf = void (*)();

// `depth` ordinary frames.
int Nested(int depth, Leaf leaf);
// A frame of variable size, so that the CFA hangs on rbp.
int VariableSize(size_t bytes, Leaf leaf);
// A frame too large for one-byte offsets, larger than a page.
int Large(Leaf leaf);
// A frame whose alignment is above the ABI's.
int Realigned(size_t bytes, Leaf leaf);
// Through the C library and back: `leaf` is called from a qsort comparison.
int ThroughQsort(Leaf leaf);
// Through a C++ exception's landing pad.
int AfterThrow(Leaf leaf);
// Some milliseconds of mixed work in this program and its libraries.
int Busy(int rounds);

}  // namespace pyrometer::unwind::shapes
