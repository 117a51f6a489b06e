// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/layout.h"
#include "cpython/struct_image.h"

namespace pyrometer::cpython {

// An interpreter frame (3.11+) up to its local variables. Load only
// layout.frame.specials_size bytes: a frame may end at the end of its chunk.
inline constexpr size_t kFrameImageSize = 96;
using FrameImage = StructImage<kFrameImageSize>;

// The address of the code object that a frame runs.
inline uint64_t FrameCode(const Layout& layout, const FrameImage& image) {
  const auto code = image.Get<uint64_t>(layout.frame.code);
  // Stack references carry flags in the low bits.
  return layout.minor >= 14 ? code & ~uint64_t{7} : code;
}

}  // namespace pyrometer::cpython
