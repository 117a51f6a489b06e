// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Context: start-up.
void PrepareUserHooks();

}  // namespace pyrometer::agent
