// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cpython/activation_chain.h"
#include "cpython/code_extent.h"
#include "cpython/data_stack.h"
#include "cpython/frame_buffer.h"
#include "cpython/frame_image.h"
#include "cpython/frame_walk.h"
#include "cpython/instruction.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// The walk of CPython 3.11 and later, whose frames live in the thread's data
// stack, in generator objects and (as shims, without code) on the C stack.
//
// Lives on the stack of one walk. Signal-safety: async-signal-safe if the
// reader is.
template <MemoryReader R, ExtentSource S>
class InterpreterFrameWalk {
 public:
  InterpreterFrameWalk(const Layout& layout, const R& reader, const S& source, uint64_t tstate,
                       uint64_t stack_pointer, std::span<PythonFrame> out)
      : layout_(layout),
        reader_(reader),
        source_(source),
        tstate_(tstate),
        activations_(layout, reader, stack_pointer),
        data_stack_(layout, reader, source),
        buffer_(out) {}

  WalkResult Run() {
    uint64_t frame = 0;
    if (!activations_.Open(tstate_, &frame)) return {};
    if (frame != 0 && !data_stack_.Open(tstate_)) return {};
    const bool had_frames = frame != 0;
    for (uint32_t depth = 0; frame != 0; ++depth) {
      if (depth == kMaxDepth || frame % 8 != 0 || !Visit(frame, &frame)) return {};
    }
    Flush();
    if (!activations_.Close() || (had_frames && !data_stack_.Finish())) return {};
    return buffer_.Finish();
  }

 private:
  enum Owner : uint8_t { kThread = 0, kGenerator = 1, kFrameObject = 2, kShim = 3 };

  bool Visit(uint64_t address, uint64_t* next) {
    if (!image_.Load(reader_, address, layout_.frame.specials_size)) return false;
    *next = image_.Get<uint64_t>(layout_.frame.previous);
    const auto owner = image_.Get<uint8_t>(layout_.frame.owner);
    if (owner >= kShim && layout_.minor >= 12) return VisitShim(address, *next);
    Flush();
    return VisitFrame(address, owner, *next);
  }

  bool VisitShim(uint64_t address, uint64_t next) {
    if (layout_.thread.base_frame != kAbsent && next == 0) {
      uint64_t base = 0;
      Flush();
      return ReadValue(reader_, tstate_ + layout_.thread.base_frame, &base) && base == address;
    }
    if (!activations_.EnterThroughShim(address, next)) return false;
    if (has_pending_) {
      pending_.entry = true;
      pending_.anchor = address;
    }
    seen_frame_ = true;  // the thread has left the leaf's own activation
    Flush();
    return true;
  }

  bool VisitFrame(uint64_t address, uint8_t owner, uint64_t next) {
    CodeExtent extent;
    PythonFrame frame{.code = FrameCode(layout_, image_), .frame = address};
    if (!source_.Find(frame.code, &extent)) return false;
    const bool placed = owner == kThread      ? data_stack_.Accept(address, extent.frame_size)
                        : owner == kGenerator ? InRunningGenerator(address)
                                              : false;
    if (!placed || !Locate(&extent, &frame)) return false;
    if (owner == kGenerator) frame.generator = address - layout_.generator.frame;
    if (layout_.frame.is_entry != kAbsent && image_.Get<uint8_t>(layout_.frame.is_entry) != 0) {
      frame.entry = true;
      frame.anchor = activations_.current();
      if (!activations_.Leave(next)) return false;
    }
    seen_frame_ = true;
    if (!extent.is_trampoline) {
      pending_ = frame;
      has_pending_ = true;
      seen_leaf_ = true;
    }
    return true;
  }

  // A frame is handed on once it is known whether a shim follows.
  void Flush() {
    if (has_pending_) buffer_.Push(pending_);
    has_pending_ = false;
  }

  // Generator, coroutine and asynchronous generator objects embed their frame.
  bool InRunningGenerator(uint64_t frame) const {
    const uint64_t object = frame - layout_.generator.frame;
    uint64_t type = 0;
    int8_t state = 0;
    if (!ReadValue(reader_, object + layout_.object.type, &type) ||
        !ReadValue(reader_, object + layout_.generator.state, &state)) {
      return false;
    }
    const bool known = layout_.type_generator == 0 || type == layout_.type_generator ||
                       type == layout_.type_coroutine || type == layout_.type_async_generator;
    // A leaf is marked as suspended just before it is unlinked.
    return known && type != 0 && (state == layout_.generator.executing || !seen_frame_);
  }

  bool Locate(CodeExtent* extent, PythonFrame* frame) const {
    if (layout_.frame.tlbc_index != kAbsent &&
        !UseThreadLocalBytecode(layout_, reader_, frame->code,
                                image_.Get<int32_t>(layout_.frame.tlbc_index), extent)) {
      return false;
    }
    const auto at = image_.Get<uint64_t>(layout_.frame.instruction);
    if (at + 2 == extent->bytecode) {
      frame->instruction = kBeforeFirstInstruction;
      return true;
    }
    return ReadInstruction(reader_, *extent, at, !seen_leaf_, frame);
  }

  const Layout& layout_;
  const R& reader_;
  const S& source_;
  const uint64_t tstate_;
  ActivationChain<R> activations_;
  DataStack<R, S> data_stack_;
  FrameBuffer buffer_;
  FrameImage image_;
  PythonFrame pending_;
  bool has_pending_ = false;
  bool seen_frame_ = false;
  bool seen_leaf_ = false;  // a frame that is reported
};

}  // namespace pyrometer::cpython
