// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "profile/profile.h"

namespace pyrometer::profile {

// Puts the samples of each of `threads` threads in order of time; which rows are whose stays
// as it is. Recorders learn of some waits a little after what came behind them. Samples that
// are in order already cost one pass.
void OrderByTime(SampleColumns* samples, size_t threads);

}  // namespace pyrometer::profile
