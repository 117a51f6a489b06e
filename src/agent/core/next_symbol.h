// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

namespace pyrometer::agent {

// The function that a hook of ours stands before, kept in `*kept` so that it is
// looked up once. Looking up takes the dynamic linker's lock: Start() does it
// for every hook, because the child of a fork must not wait for a lock that
// another thread held. A call before Start(), while there is one thread, looks
// it up by itself.
template <class Function>
Function NextSymbol(Function* kept, const char* name) {
  if (*kept == nullptr) *kept = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  return *kept;
}

}  // namespace pyrometer::agent
