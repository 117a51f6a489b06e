// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpython/fake_memory.h"
#include "cpython/frame_walk.h"
#include "cpython/layout.h"

namespace pyrometer::cpython {

inline constexpr uint64_t kFakeTypeCode = 0x5000;
inline constexpr uint64_t kFakeFrameSize = 96;  // of the code's frames in the data stack

// A code object of 32 instructions in the memory of an imaginary CPython 3.12 whose
// code objects have the type kFakeTypeCode. For tests.
inline uint64_t FakeCode(FakeMemory& memory, const Layout& layout) {
  const uint64_t code = memory.Allocate(512);
  memory.Put(code + layout.object.type, kFakeTypeCode);
  memory.Put<int64_t>(code + layout.object.var_size, 32);
  memory.Put<int32_t>(code + layout.code.frame_words, kFakeFrameSize / 8);
  return code;
}

// What the frames of a walk run.
inline std::vector<uint64_t> CodesOf(std::span<const PythonFrame> frames) {
  std::vector<uint64_t> codes;
  for (const PythonFrame& frame : frames) codes.push_back(frame.code);
  return codes;
}

}  // namespace pyrometer::cpython
