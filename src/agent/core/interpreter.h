// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "agent/core/stack_merge.h"
#include "cpython/layout.h"

namespace pyrometer::agent {

// The CPython in this process, found by its exported symbols.
struct Interpreter {
  void* symbols = nullptr;  // where they are, for dlsym; null, which is RTLD_DEFAULT: everywhere
  uint64_t runtime = 0;     // &_PyRuntime; 0: this process has no CPython
  cpython::Layout layout{};
  bool supported = false;
  char message[256] = "";  // why not supported
  EvalRange eval{};
  // PyGILState_GetThisThreadState: this thread's state whether or not it
  // holds the GIL. Reads thread-specific data only, so a handler may call it.
  void* (*this_thread_state)() = nullptr;

  // There is one, of a version that pyrometer does not know.
  bool IsUnknown() const { return runtime != 0 && !supported; }

  // The address of this thread's state; 0 if there is none that can be read.
  uint64_t ThreadState() const {
    return supported ? reinterpret_cast<uint64_t>(this_thread_state()) : 0;
  }
};

// Looks in `scope`, a handle of dlsym. Context: before the interpreter runs. Calls dlsym.
// What to make of the symbols is decided in cpython/find_interpreter.h.
Interpreter FindInterpreter(void* scope);

// Whether the interpreter is told, by its environment or its arguments, to use
// other allocators than it was built with. Context: start-up.
bool ChoosesAllocators(char** arguments);

}  // namespace pyrometer::agent
