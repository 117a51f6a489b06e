// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "format/capture_writer.h"

namespace pyrometer::bench {

// A program that never was: its files, functions and lines, and a tree of the
// stacks in which it was seen. Stacks are 30 to 60 frames deep, Python frames with
// native ones at their ends; a few of its places are far hotter than the rest.
//
// The same seed gives the same program. Thread-safety: none; one owner.
class MadeUpProgram {
 public:
  // Defines `stacks` nodes in `writer`.
  MadeUpProgram(format::CaptureWriter& writer, uint32_t stacks, uint64_t seed);

  // A stack, found by `position` in the run (0 to 1): what runs changes slowly.
  format::StackId Pick(double position, std::mt19937_64& random) const;
  // Whether its innermost frame is native.
  bool IsNative(format::StackId stack) const { return native_[stack.value]; }
  format::CodeId coroutine() const { return codes_.front(); }

 private:
  void AddCodes(format::CaptureWriter& writer);
  void AddNatives(format::CaptureWriter& writer);
  void AddStacks(format::CaptureWriter& writer, uint32_t count);
  format::FrameId PythonFrame(format::CaptureWriter& writer);

  std::mt19937_64 random_;
  std::vector<format::CodeId> codes_;
  std::vector<std::vector<format::FrameId>> lines_;  // by code: frames at its lines, made on use
  std::vector<format::FrameId> natives_;
  std::vector<uint8_t> depth_;    // by stack
  std::vector<bool> native_;      // by stack
  std::vector<uint32_t> leaves_;  // stacks in which samples fall
};

}  // namespace pyrometer::bench
