// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/interpreter_jit.h"

#include <algorithm>
#include <string_view>

namespace pyrometer::capture {
namespace {

using transport::StackFrame;

constexpr uint16_t kFirstMinor = 13;
constexpr std::string_view kVariable = "PYTHON_JIT=";

bool IsSwitchedOn(const std::string& entry) {
  return entry.starts_with(kVariable) && entry.size() > kVariable.size() &&
         entry[kVariable.size()] != '0';
}

}  // namespace

InterpreterJit::InterpreterJit(const cpython::Layout& layout,
                               const std::vector<std::string>& environment)
    : exists_(layout.minor >= kFirstMinor),
      asked_for_(std::ranges::any_of(environment, IsSwitchedOn)) {}

bool InterpreterJit::IsCallee(std::span<const StackFrame> callers, uint32_t flags) const {
  if (!exists_) return false;
  // Where the native stack ends in generated code, nobody knows who has called it. Code of the
  // JIT before 3.15 is such code; so is what other JITs make, but few use both.
  const bool knows_caller = (flags & (transport::kEndsOutside | transport::kUnanchored)) == 0;
  if (!knows_caller && !asked_for_) return false;
  // It calls itself: its first part saves registers and calls the rest.
  while (!callers.empty() && callers.back().kind == StackFrame::kNative &&
         callers.back().module == transport::kNoModule)
    callers = callers.first(callers.size() - 1);
  return !callers.empty() && callers.back().kind == StackFrame::kPython;
}

}  // namespace pyrometer::capture
