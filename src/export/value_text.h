// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/metric.h"

namespace pyrometer::export_ {

// A value for people: "1.25 s", "3.1 MiB", "12".
std::string ValueText(Metric metric, uint64_t value);

}  // namespace pyrometer::export_
