// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/capture_writer.h"
#include "transport/records.h"

namespace pyrometer::capture {

// What a frame below a caller became, for the frames of one process that came last. The same few
// follow each other again and again, and each costs up to four look-ups in large tables. An entry
// gives way to whatever comes to the same place.
//
// Thread-safety: one owner.
class StackMemo {
 public:
  struct Step {
    std::optional<format::FrameId> frame;  // none: left out of the stack
    format::StackId stack;
  };

  // `exact`: the frame is at the very instruction, not at a return address.
  std::optional<Step> Find(format::StackId caller, const transport::StackFrame& frame,
                           bool exact) const {
    if (entries_.empty()) return std::nullopt;
    const Entry& entry = entries_[Place(caller, frame)];
    const bool same = entry.generation == generation_ && entry.caller == caller &&
                      entry.frame == frame && entry.exact == exact;
    return same ? std::optional(entry.step) : std::nullopt;
  }
  void Keep(format::StackId caller, const transport::StackFrame& frame, bool exact,
            const Step& step) {
    if (entries_.empty()) entries_.resize(kEntries);
    entries_[Place(caller, frame)] = {frame, caller, generation_, exact, step};
  }
  // What frames mean has changed.
  void Clear() { ++generation_; }

 private:
  static constexpr size_t kEntries = 2048;

  struct Entry {
    transport::StackFrame frame{};
    format::StackId caller;
    uint32_t generation = 0;
    bool exact = false;
    Step step;
  };

  static size_t Place(format::StackId caller, const transport::StackFrame& frame) {
    const uint64_t where = uint64_t{caller.value} << 32 | (frame.module ^ frame.kind);
    return (frame.value * 0x9e3779b97f4a7c15u ^ where) * 0xd6e8feb86659fd93u >> 53;
  }
  static_assert(kEntries == size_t{1} << (64 - 53));

  std::vector<Entry> entries_;  // made when the first one comes
  uint32_t generation_ = 1;
};

}  // namespace pyrometer::capture
