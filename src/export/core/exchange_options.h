// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "export/tables/metric_values.h"

namespace pyrometer::export_ {

// What the user can choose about formats that cannot hold all of a profile.
struct ExchangeOptions {
  std::optional<Metric> metric{};  // else Exchange::DefaultMetric
  bool functions = false;          // frames are functions, not lines
  bool threads = false;            // the outermost frame is the thread
};

}  // namespace pyrometer::export_
