// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "capture/stacks/interpreter_jit.h"
#include "capture/stacks/module_cache.h"
#include "cpython/opcodes.h"
#include "format/records.h"
#include "os/thread_status.h"
#include "transport/records.h"

namespace pyrometer::capture {

// Python, native or kernel? `frames` root first.
//
// Native is code of any module that is not the interpreter, and code of the
// interpreter that runs because bytecode called a C function. The C library
// counts as the code that called it: a copy inside `a + b` of two byte strings
// is Python's, one inside numpy is numpy's. What the interpreter's own JIT has made
// of bytecode counts as the bytecode.
format::Activity ClassifyOnCpu(std::span<const transport::StackFrame> frames, uint32_t flags,
                               uint8_t opcode, const cpython::Layout& layout,
                               const ModuleCache& modules, const InterpreterJit& jit);

// What a blocked thread waits for. [gil_begin, gil_end) is the memory of the
// GIL, empty if there is none.
format::Activity ClassifyBlocked(const os::BlockedCall& call, uint64_t gil_begin, uint64_t gil_end);

}  // namespace pyrometer::capture
