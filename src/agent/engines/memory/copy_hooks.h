// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Finds the functions behind our hooks on memcpy and its kin.
// Context: start-up, one thread.
void PrepareCopyHooks();

}  // namespace pyrometer::agent
