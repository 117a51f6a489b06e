// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cpython/layout.h"
#include "transport/records.h"

namespace pyrometer::capture {

// Which frames in no module are code that the interpreter's own JIT (3.13 and later) has
// made of bytecode: that is part of the Python frame below it and needs no frame of its own.
// Only that JIT is entered from the eval loop itself; to whatever others make, the way
// leads through C code of theirs.
//
// Immutable.
class InterpreterJit {
 public:
  // `environment` is that of the process.
  InterpreterJit(const cpython::Layout& layout, const std::vector<std::string>& environment);

  // Whether such code is what these frames, root first, have called. `flags` are those of
  // their sample.
  bool IsCallee(std::span<const transport::StackFrame> callers, uint32_t flags) const;

 private:
  bool exists_;
  bool asked_for_;
};

}  // namespace pyrometer::capture
