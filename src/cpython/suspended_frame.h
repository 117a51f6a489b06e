// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/code_extent.h"
#include "cpython/frame_image.h"
#include "cpython/frame_walk.h"
#include "cpython/instruction.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"
#include "cpython/struct_image.h"

namespace pyrometer::cpython {

enum class SuspendedState : uint8_t {
  kSuspended,  // also when it has not started
  kExecuting,
  kFinished,
  kTorn,
};

// The frame of a generator, coroutine or asynchronous generator that does not
// run, and what it waits for.
struct SuspendedFrame {
  SuspendedState state = SuspendedState::kTorn;
  PythonFrame frame;
  uint64_t delegate = 0;  // object of its await or yield from, 0 if none
};

// Reads suspended frames. Holds references only; lives on a caller's stack.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
class SuspendedFrameReader {
 public:
  SuspendedFrameReader(const Layout& layout, const ObjectLayout& objects, const R& reader)
      : layout_(layout), objects_(objects), reader_(reader) {}

  // `generator` must be of a generator type.
  SuspendedFrame Read(uint64_t generator) const {
    SuspendedFrame out;
    out.frame.generator = generator;
    const SuspendedState state = layout_.frame.owner == kAbsent ? ReadObject(generator, &out)
                                                                : ReadEmbedded(generator, &out);
    out.state = state;
    return out;
  }

 private:
  // 3.8 to 3.10: the generator refers to a frame object.
  SuspendedState ReadObject(uint64_t generator, SuspendedFrame* out) const {
    constexpr size_t kObjectFrameImageSize = 136;
    constexpr int8_t kCreated = -2;  // 3.10
    constexpr int8_t kSuspended = -1;
    StructImage<kObjectFrameImageSize> image;
    PythonFrame& frame = out->frame;
    if (!ReadValue(reader_, generator + objects_.generator_frame, &frame.frame)) {
      return SuspendedState::kTorn;
    }
    if (frame.frame == 0) return SuspendedState::kFinished;
    CodeExtent extent;
    frame.code = 0;
    if (frame.frame % 8 != 0 || !image.Load(reader_, frame.frame) ||
        image.template Get<uint64_t>(layout_.frame.generator) != generator) {
      return SuspendedState::kTorn;
    }
    frame.code = image.template Get<uint64_t>(layout_.frame.code);
    const auto mark = image.template Get<int8_t>(layout_.frame.executing);
    const bool executing = layout_.minor >= 10 ? mark == 0 : mark != 0;
    if (executing) return SuspendedState::kExecuting;
    if (layout_.minor >= 10 && mark != kCreated && mark != kSuspended) {
      return SuspendedState::kFinished;
    }
    if (!ReadCodeExtent(layout_, reader_, frame.code, &extent)) return SuspendedState::kTorn;
    const int64_t last = image.template Get<int32_t>(layout_.frame.instruction);
    if (last == -1) {
      frame.instruction = kBeforeFirstInstruction;
      return SuspendedState::kSuspended;
    }
    const uint64_t at =
        extent.bytecode + static_cast<uint64_t>(last * (layout_.minor >= 10 ? 2 : 1));
    if (last < 0 || !ReadInstruction(reader_, extent, at, false, &frame)) {
      return SuspendedState::kTorn;
    }
    bool delegates = false;
    if (!Delegates(extent, at, 0, &delegates)) return SuspendedState::kTorn;
    if (!delegates) return SuspendedState::kSuspended;
    uint64_t top = image.template Get<uint64_t>(objects_.frame_stack);
    if (objects_.frame_stack_depth != kAbsent) {
      top += uint64_t{image.template Get<uint32_t>(objects_.frame_stack_depth)} * 8;
    }
    return top % 8 == 0 && top > frame.frame && ReadValue(reader_, top - 8, &out->delegate) &&
                   out->delegate != 0
               ? SuspendedState::kSuspended
               : SuspendedState::kTorn;
  }

  // 3.11 and later: the frame lies inside of the generator.
  SuspendedState ReadEmbedded(uint64_t generator, SuspendedFrame* out) const {
    constexpr uint8_t kGenerator = 1;
    PythonFrame& frame = out->frame;
    frame.frame = generator + layout_.generator.frame;
    int8_t state = 0;
    if (!ReadValue(reader_, generator + layout_.generator.state, &state)) {
      return SuspendedState::kTorn;
    }
    if (state == objects_.state_executing) return SuspendedState::kExecuting;
    if (state > objects_.state_executing) return SuspendedState::kFinished;
    FrameImage image;
    CodeExtent extent;
    if (!image.Load(reader_, frame.frame, layout_.frame.specials_size) ||
        image.Get<uint8_t>(layout_.frame.owner) != kGenerator) {
      return SuspendedState::kTorn;
    }
    frame.code = FrameCode(layout_, image);
    if (!ReadCodeExtent(layout_, reader_, frame.code, &extent)) return SuspendedState::kTorn;
    const uint64_t frame_size = extent.frame_size;
    if (layout_.frame.tlbc_index != kAbsent &&
        !UseThreadLocalBytecode(layout_, reader_, frame.code,
                                image.Get<int32_t>(layout_.frame.tlbc_index), &extent)) {
      return SuspendedState::kTorn;
    }
    const auto at = image.Get<uint64_t>(layout_.frame.instruction);
    if (!ReadInstruction(reader_, extent, at, false, &frame)) return SuspendedState::kTorn;
    bool delegates = false;
    if (state != objects_.state_created && !Delegates(extent, at, state, &delegates)) {
      return SuspendedState::kTorn;
    }
    if (!delegates) return SuspendedState::kSuspended;
    return ReadDelegate(image, frame.frame, frame_size, &out->delegate) ? SuspendedState::kSuspended
                                                                        : SuspendedState::kTorn;
  }

  // Whether a frame suspended at the instruction `at` is in an await or yield
  // from. Before 3.13 the instruction behind tells.
  bool Delegates(const CodeExtent& extent, uint64_t at, int8_t state, bool* delegates) const {
    if (layout_.minor >= 13) {
      *delegates = state == objects_.state_delegating;
      return *delegates || state == objects_.state_suspended;
    }
    constexpr uint8_t kFirstDelegatingArgument = 2;  // of the instruction that resumes
    uint8_t next[2];
    if (at + 4 > extent.bytecode + extent.bytecode_size) return false;
    if (!reader_.Read(at + 2, next, sizeof next)) return false;
    *delegates = next[0] == objects_.delegating_opcode || next[0] == objects_.delegating_variant;
    if (layout_.minor >= 11) *delegates = *delegates && next[1] >= kFirstDelegatingArgument;
    return true;
  }

  // What the frame awaits, on top of its own stack.
  bool ReadDelegate(const FrameImage& image, uint64_t frame, uint64_t frame_size,
                    uint64_t* delegate) const {
    constexpr uint64_t kTags = 7;
    const uint64_t bottom = frame + layout_.frame.specials_size;
    const bool is_pointer = layout_.minor >= 14;
    const uint64_t end = is_pointer
                             ? image.Get<uint64_t>(layout_.frame.stack_top)
                             : bottom + uint64_t{image.Get<uint32_t>(layout_.frame.stack_top)} * 8;
    const uint64_t at = end - uint64_t{objects_.delegate_depth} * 8;
    if (at % 8 != 0 || at < bottom || end > frame + frame_size) return false;
    if (!ReadValue(reader_, at, delegate)) return false;
    if (is_pointer) *delegate &= ~kTags;
    return *delegate != 0;
  }

  const Layout& layout_;
  const ObjectLayout& objects_;
  const R& reader_;
};

}  // namespace pyrometer::cpython
