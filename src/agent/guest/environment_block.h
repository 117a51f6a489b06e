// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace pyrometer::agent {

// Makes the kernel's view of the first environment, /proc/PID/environ, end
// before those of `entries` that are its last ones. They stay in memory. Does
// nothing where the kernel has no such call (CONFIG_CHECKPOINT_RESTORE).
// Context: start-up, one thread.
void CutEnvironmentBlock(std::span<const char* const> entries);

}  // namespace pyrometer::agent
