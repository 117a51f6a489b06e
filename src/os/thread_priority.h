// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::os {

// The calling thread, and threads that it starts, run when nobody else wants the CPU.
void YieldToOthers();

}  // namespace pyrometer::os
