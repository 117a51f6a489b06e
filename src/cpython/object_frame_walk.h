// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cpython/code_extent.h"
#include "cpython/frame_buffer.h"
#include "cpython/frame_walk.h"
#include "cpython/instruction.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/struct_image.h"

namespace pyrometer::cpython {

// The walk of CPython 3.8 to 3.10, whose frames are heap objects that hold a
// reference to their caller, from the frame at `address`. The chain is consistent
// at every instruction; what is checked guards against a thread state that is
// being torn down. `running`: that frame is the leaf of a thread.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R, ExtentSource S>
WalkResult WalkObjectFrames(const Layout& layout, const R& reader, const S& source,
                            uint64_t address, bool running, std::span<PythonFrame> out) {
  constexpr size_t kObjectFrameImageSize = 136;
  // f_lasti counts bytes before 3.10 and code units of two bytes there.
  const int64_t unit = layout.minor >= 10 ? 2 : 1;
  FrameBuffer buffer(out);
  for (uint32_t depth = 0; address != 0; ++depth) {
    StructImage<kObjectFrameImageSize> image;
    CodeExtent extent;
    PythonFrame frame{.frame = address, .entry = true};
    if (depth == kMaxDepth || address % 8 != 0 || !image.Load(reader, address)) return {};
    frame.code = image.Get<uint64_t>(layout.frame.code);
    if (!source.Find(frame.code, &extent)) return {};
    // The leaf may be between being linked and being marked as running.
    const bool executing = layout.minor >= 10 ? image.Get<int8_t>(layout.frame.executing) == 0
                                              : image.Get<int8_t>(layout.frame.executing) == 1;
    const bool leaf = running && depth == 0;
    if (!leaf && !executing) return {};
    const int64_t last = image.Get<int32_t>(layout.frame.instruction);
    const uint64_t at = extent.bytecode + static_cast<uint64_t>(last * unit);
    if (last < 0 ? last != -1 : !ReadInstruction(reader, extent, at, leaf, &frame)) return {};
    if (last == -1) frame.instruction = kBeforeFirstInstruction;
    frame.generator = image.Get<uint64_t>(layout.frame.generator);
    buffer.Push(frame);
    address = image.Get<uint64_t>(layout.frame.previous);
  }
  return buffer.Finish();
}

}  // namespace pyrometer::cpython
