// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pyrometer::agent {

// Tells the collector, once, that the program has marked the code object at
// `code` with @profile, or (`inner`) a function that has this code in it.
// Context: any thread, outside handlers; `code` stays alive meanwhile.
void TellProfiledCode(uint64_t code, bool inner);

}  // namespace pyrometer::agent
