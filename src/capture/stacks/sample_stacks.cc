// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/sample_stacks.h"

#include <algorithm>
#include <ctime>

#include "base/clock.h"

namespace pyrometer::capture {

SampleStacks::SampleStacks(pid_t pid, uint64_t start_ns, CodeCache& codes, ModuleCache& modules,
                           const InterpreterJit& interpreter_jit, StackTable& stacks)
    : pid_(pid),
      start_ns_(start_ns),
      codes_(codes),
      modules_(modules),
      interpreter_jit_(interpreter_jit),
      stacks_(stacks) {}

void SampleStacks::Update(ThreadStack& stack, uint32_t shared,
                          std::span<const transport::StackFrame> frames, Innermost innermost,
                          uint32_t flags) {
  stack.frames.resize(std::min<size_t>(shared, stack.frames.size()));
  stack.path.resize(stack.frames.size());
  const bool exact = innermost == Innermost::kInstruction;
  for (size_t i = frames.size(); i-- > 0;) {
    const format::StackId id = StackBelow(stack, frames, i, i == 0 && exact, flags);
    stack.frames.push_back(frames[i]);
    stack.path.push_back(id);
  }
  for (size_t i = stack.frames.size(); i-- > 0;)
    if (stack.frames[i].kind == transport::StackFrame::kPython) {
      codes_.CountLeaf(static_cast<uint32_t>(stack.frames[i].value >> 32));
      break;
    }
  if ((flags & transport::kEndsOutside) != 0) CountEndOutside(stack, flags);
}

void SampleStacks::Poll() {
  if (jit_ != nullptr) jit_->Check(base::NowNs(CLOCK_MONOTONIC));
}

format::StackId SampleStacks::StackBelow(const ThreadStack& outer,
                                         std::span<const transport::StackFrame> frames, size_t i,
                                         bool exact, uint32_t flags) {
  const transport::StackFrame& frame = frames[i];
  const format::StackId caller = outer.leaf();
  // What code of no module is depends on its neighbours and on the moment.
  const bool lasts =
      frame.kind == transport::StackFrame::kPython ||
      (frame.kind == transport::StackFrame::kNative && frame.module != transport::kNoModule);
  if (lasts)
    if (const auto step = memo_.Find(caller, frame, exact)) {
      if (step->frame) stacks_.CountFrame(caller, *step->frame);
      return step->stack;
    }
  const std::optional<format::FrameId> named = FrameOf(outer, frames, i, exact, flags);
  const format::StackId stack = named ? stacks_.Stack(caller, *named) : caller;
  const bool refused = named && stack == caller;
  if (lasts && !refused) memo_.Keep(caller, frame, exact, {named, stack});
  return stack;
}

std::optional<format::FrameId> SampleStacks::FrameOf(const ThreadStack& outer,
                                                     std::span<const transport::StackFrame> frames,
                                                     size_t i, bool exact, uint32_t flags) {
  const transport::StackFrame& frame = frames[i];
  switch (frame.kind) {
    case transport::StackFrame::kPython:
      return codes_.FrameAt(static_cast<uint32_t>(frame.value >> 32),
                            static_cast<uint32_t>(frame.value));
    case transport::StackFrame::kNative:
      return NativeFrame(outer, frames, i, exact, flags);
    default:
      return stacks_.SpecialFrame("<frames left out>");
  }
}

std::optional<format::FrameId> SampleStacks::NativeFrame(
    const ThreadStack& outer, std::span<const transport::StackFrame> frames, size_t i, bool exact,
    uint32_t flags) {
  const transport::StackFrame& frame = frames[i];
  if (frame.module != transport::kNoModule) {
    if (modules_.RoleOf(frame.module) == ModuleRole::kAgent) return std::nullopt;
    return modules_.FrameAt(frame.module, frame.value, exact);
  }
  if (interpreter_jit_.IsCallee(outer.frames, flags)) return std::nullopt;
  // Between the interpreter and the eval loop stand only trampolines of the
  // interpreter's own (python -X perf).
  const bool from_runtime = !outer.frames.empty() &&
                            outer.frames.back().kind == transport::StackFrame::kNative &&
                            modules_.RoleOf(outer.frames.back().module) == ModuleRole::kRuntime;
  if (from_runtime && i != 0 && frames[i - 1].kind == transport::StackFrame::kPython)
    return std::nullopt;
  return jit().FrameAt(exact ? frame.value : frame.value - 1, base::NowNs(CLOCK_MONOTONIC));
}

void SampleStacks::CountEndOutside(const ThreadStack& stack, uint32_t flags) {
  const auto last =
      std::ranges::find(stack.frames, transport::StackFrame::kNative, &transport::StackFrame::kind);
  if (last == stack.frames.end()) return;
  const auto callers = std::span(stack.frames.begin(), last);
  const bool in_jit = last->module == transport::kNoModule &&
                      (interpreter_jit_.IsCallee(callers, flags) ||
                       jit().Contains(last->value - 1, base::NowNs(CLOCK_MONOTONIC)));
  ++(in_jit ? ends_in_jit_ : native_cut_);
}

JitCode& SampleStacks::jit() {
  if (jit_ == nullptr) {
    const uint64_t age_ns = base::NowNs(CLOCK_MONOTONIC) - start_ns_;
    jit_ = std::make_unique<JitCode>(pid_, base::NowNs(CLOCK_REALTIME) - age_ns, stacks_);
  }
  return *jit_;
}

}  // namespace pyrometer::capture
