// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// What @profile does: finds the code of `object`, a function or something that
// has functions in it, and tells the collector. `object` stays as it is.
// Context: called by the interpreter, with the GIL; see python_api.h.
void MarkProfiled(void* object);

}  // namespace pyrometer::agent
