// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include "agent/core/agent.h"

namespace pyrometer::agent {

// A function or type of CPython's C API by its name: the agent is compiled against no Python.
// False, and null: the interpreter has none.
// Context: outside handlers.
template <class Pointer>
bool FindPythonSymbol(Pointer* out, const char* name) {
  *out = reinterpret_cast<Pointer>(dlsym(g_agent.interpreter.symbols, name));
  return *out != nullptr;
}

}  // namespace pyrometer::agent
