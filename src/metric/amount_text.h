// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "metric/metric.h"

namespace pyrometer::metric {

// An amount for people, with three digits that count: "1.25 s", "120 ms", "8.10 MB", "12". MB are
// 1,000,000 bytes. The same in every locale.
std::string AmountText(const Info& info, double amount);

}  // namespace pyrometer::metric
