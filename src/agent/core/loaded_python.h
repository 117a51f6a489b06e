// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// The library whose `_PyRuntime` has `address` in it, as a handle for dlsym; nullptr where there
// is none. The library stays loaded from then on: what is found in it is kept.
//
// Works for libraries that were loaded for their own use alone (RTLD_LOCAL), too.
// Context: any thread, outside handlers. Takes the dynamic linker's lock.
void* FindLoadedPython(const void* address);

}  // namespace pyrometer::agent
