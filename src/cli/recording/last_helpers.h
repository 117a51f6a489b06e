// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/session/collector.h"

namespace pyrometer::cli {

// Collects on for a moment from processes that end because the program has ended, such as the
// resource tracker and the fork server of multiprocessing: its end has woken them. Whoever is
// left is not about to end.
//
// A process that sleeps on costs the caller kQuietMs, one that runs on kLongestMs.
void AwaitHelpers(capture::Collector& collector);

}  // namespace pyrometer::cli
