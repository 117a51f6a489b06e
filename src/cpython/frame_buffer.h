// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "cpython/frame_walk.h"

namespace pyrometer::cpython {

// Collects the frames of one walk, leaf first, in room given by the caller.
// When they do not fit, keeps the leaf-most ones and, in a ring at the end, the
// kRootFramesKept root-most ones.
//
// Lives on the stack of one walk. Signal-safety: async-signal-safe.
class FrameBuffer {
 public:
  explicit FrameBuffer(std::span<PythonFrame> out)
      : out_(out),
        tail_(std::min<size_t>(kRootFramesKept, out.size() / 2)),
        head_(out.size() - tail_) {}

  void Push(const PythonFrame& frame) {
    if (total_ < head_) {
      out_[total_] = frame;
    } else if (tail_ != 0) {
      out_[head_ + (total_ - head_) % tail_] = frame;
    }
    ++total_;
  }

  // Puts the ring in order. Call once, after the last Push.
  WalkResult Finish() {
    if (total_ == 0) return {WalkOutcome::kNoFrames, 0, 0};
    if (total_ <= out_.size()) {
      return {WalkOutcome::kComplete, static_cast<uint32_t>(total_), 0};
    }
    if (tail_ != 0) {
      const auto ring = out_.begin() + static_cast<std::ptrdiff_t>(head_);
      std::rotate(ring, ring + static_cast<std::ptrdiff_t>((total_ - head_) % tail_), out_.end());
    }
    return {WalkOutcome::kTruncated, static_cast<uint32_t>(out_.size()),
            static_cast<uint32_t>(total_ - out_.size())};
  }

 private:
  std::span<PythonFrame> out_;
  size_t tail_;  // room for root-most frames
  size_t head_;  // room for leaf-most frames
  size_t total_ = 0;
};

}  // namespace pyrometer::cpython
