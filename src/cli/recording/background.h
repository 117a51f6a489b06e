// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace pyrometer::cli {

// Does `work` in a process of its own that belongs to no terminal, holds none
// of our streams and ends with the work. False, with nothing done, when there
// can be no such process. REQUIRES: this process has no other thread.
bool FollowInBackground(const std::function<void()>& work);

}  // namespace pyrometer::cli
