// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "format/records.h"

namespace pyrometer::format {

// Makes a list of what was live short enough for one record: the largest
// kMaxLiveParts stay, the rest is added up by thread and kind under the empty
// stack; where even that makes more than kMaxLiveParts, by kind, under the thread
// that has most of it. The sum is the same as before.
void BoundLiveParts(std::vector<LiveMemory>& parts);

}  // namespace pyrometer::format
