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
#include "cpython/running_generators.h"

namespace pyrometer::cpython {

// The walk of CPython 3.11 and later, whose frames live in the thread's data
// stack, in generator objects and (as shims, without code) on the C stack.
// `Activations`: ActivationChain, or NoActivations for a stack that stands still.
//
// Lives on the stack of one walk. Signal-safety: async-signal-safe if the
// reader is.
template <MemoryReader R, ExtentSource S, class Activations>
class InterpreterFrameWalk {
 public:
  using Data = DataStack<R, S>;

  InterpreterFrameWalk(const Layout& layout, const R& reader, const S& source,
                       const Activations& activations, const Data& data_stack,
                       std::span<PythonFrame> out)
      : layout_(layout),
        reader_(reader),
        source_(source),
        activations_(activations),
        data_stack_(data_stack),
        generators_(layout, reader),
        buffer_(out) {}

  // The stack of a thread.
  WalkResult Run(uint64_t tstate) {
    uint64_t frame = 0;
    tstate_ = tstate;
    if (!activations_.Open(tstate_, &frame)) return {};
    if (frame != 0 && (!data_stack_.Open(tstate_) || !generators_.Open(tstate_))) return {};
    return WalkFrom(frame);
  }

  WalkResult RunStopped(const StoppedStack& stack) {
    seen_frame_ = seen_leaf_ = true;  // it is not the thread's leaf
    if (!data_stack_.Open(stack.chunk, stack.top)) return {};
    return WalkFrom(stack.frame);
  }

 private:
  enum Owner : uint8_t { kThread = 0, kGenerator = 1, kFrameObject = 2, kShim = 3 };

  WalkResult WalkFrom(uint64_t frame) {
    const bool had_frames = frame != 0;
    for (uint32_t depth = 0; frame != 0; ++depth) {
      if (depth == kMaxDepth || frame % 8 != 0 || !Visit(frame, &frame)) return {};
    }
    Flush();
    if (!activations_.Close() || (had_frames && !(data_stack_.Finish() && MetAllGenerators()))) {
      return {};
    }
    return buffer_.Finish();
  }

  bool Visit(uint64_t address, uint64_t* next) {
    if (!image_.Load(reader_, address, layout_.frame.specials_size)) return false;
    *next = image_.Get<uint64_t>(layout_.frame.previous);
    const auto owner = image_.Get<uint8_t>(layout_.frame.owner);
    if (owner >= kShim && layout_.minor >= 12) return VisitShim(address, *next);
    Flush();
    return VisitFrame(address, owner, *next);
  }

  bool VisitShim(uint64_t address, uint64_t next) {
    if (tstate_ != 0 && layout_.thread.base_frame != kAbsent && next == 0) {
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
    data_stack_.ExpectNoHole(false);
    Flush();
    return true;
  }

  bool VisitFrame(uint64_t address, uint8_t owner, uint64_t next) {
    CodeExtent extent;
    PythonFrame frame{.code = FrameCode(layout_, image_), .frame = address};
    if (!source_.Find(frame.code, &extent)) return false;
    if (owner == kGenerator) frame.generator = address - layout_.generator.frame;
    const bool placed = owner == kThread ? data_stack_.Accept(address, image_, extent)
                        : owner == kGenerator
                            ? IsRunning(frame.generator) && generators_.Meet(frame.generator)
                            : false;
    if (!placed || !Locate(&extent, &frame)) return false;
    // Compilers move the store that makes a new frame the current one before the one that
    // names its caller. A caller in the same activation lies directly below.
    if (!seen_frame_ && frame.instruction == kBeforeFirstInstruction)
      data_stack_.ExpectNoHole(owner == kThread);
    if (layout_.frame.is_entry != kAbsent && image_.Get<uint8_t>(layout_.frame.is_entry) != 0) {
      frame.entry = true;
      frame.anchor = activations_.current();
      data_stack_.ExpectNoHole(false);
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

  bool IsRunning(uint64_t generator) const {
    uint64_t type = 0;
    int8_t state = 0;
    if (!ReadValue(reader_, generator + layout_.object.type, &type) ||
        !ReadValue(reader_, generator + layout_.generator.state, &state)) {
      return false;
    }
    const bool known = layout_.type_generator == 0 ? type != 0 : IsGeneratorType(layout_, type);
    // A leaf is marked as suspended just before it is unlinked.
    return known && (state == layout_.generator.executing || !seen_frame_);
  }

  // While a frame is new, nothing but the activation that is about to run it begins or ends.
  bool MetAllGenerators() { return generators_.Finish(data_stack_.youngest_has_begun()); }

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
  uint64_t tstate_ = 0;  // 0: no thread's, a stack that stands still
  Activations activations_;
  Data data_stack_;
  RunningGenerators<R> generators_;  // none of a stack that stands still
  FrameBuffer buffer_;
  FrameImage image_;
  PythonFrame pending_;
  bool has_pending_ = false;
  bool seen_frame_ = false;
  bool seen_leaf_ = false;  // a frame that is reported
};

}  // namespace pyrometer::cpython
