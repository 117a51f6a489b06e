// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "capture/stacks/code_cache.h"
#include "capture/stacks/interpreter_jit.h"
#include "capture/stacks/jit_code.h"
#include "capture/stacks/module_cache.h"
#include "capture/stacks/stack_memo.h"
#include "capture/stacks/stack_table.h"
#include "capture/stacks/thread_stack.h"
#include "transport/records.h"

namespace pyrometer::capture {

// Turns the frames of samples, as the agent of one process writes them, into interned stacks.
//
// Thread-safety: one owner, who keeps all that is given to the constructor alive.
class SampleStacks {
 public:
  // What the first frame of a sample is, if native.
  enum class Innermost : uint8_t { kInstruction, kCall };

  // `start_ns`: when the process began, by CLOCK_MONOTONIC.
  SampleStacks(pid_t pid, uint64_t start_ns, CodeCache& codes, ModuleCache& modules,
               const InterpreterJit& interpreter_jit, StackTable& stacks);

  // Brings the stack of a thread up to date: `shared` of its frames stay, `frames` (innermost
  // first) are new. `flags` are those of the sample.
  void Update(ThreadStack& stack, uint32_t shared, std::span<const transport::StackFrame> frames,
              Innermost innermost, uint32_t flags);
  // What frames mean has changed: code or a module was defined.
  void Forget() { memo_.Clear(); }
  // Reads, now and then, what JITs say of their code.
  void Poll();

  // Stacks whose native frames end where no code can be.
  uint64_t native_cut() const { return native_cut_; }
  // Or in generated code, which is no loss.
  uint64_t ends_in_jit() const { return ends_in_jit_; }

 private:
  // `outer`, which has the frames that are further out, with frame `i` of `frames`.
  format::StackId StackBelow(const ThreadStack& outer,
                             std::span<const transport::StackFrame> frames, size_t i, bool exact,
                             uint32_t flags);
  // That frame; nothing where it has none of its own.
  std::optional<format::FrameId> FrameOf(const ThreadStack& outer,
                                         std::span<const transport::StackFrame> frames, size_t i,
                                         bool exact, uint32_t flags);
  std::optional<format::FrameId> NativeFrame(const ThreadStack& outer,
                                             std::span<const transport::StackFrame> frames,
                                             size_t i, bool exact, uint32_t flags);
  // Its native frames end in code of no module: which is it?
  void CountEndOutside(const ThreadStack& stack, uint32_t flags);
  JitCode& jit();

  pid_t pid_;
  uint64_t start_ns_;
  CodeCache& codes_;
  ModuleCache& modules_;
  const InterpreterJit& interpreter_jit_;
  StackTable& stacks_;
  StackMemo memo_;
  std::unique_ptr<JitCode> jit_;  // null: no code outside of all modules was seen
  uint64_t native_cut_ = 0;
  uint64_t ends_in_jit_ = 0;
};

}  // namespace pyrometer::capture
