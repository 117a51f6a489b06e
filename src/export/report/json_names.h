// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "metric/metric.h"

// Members of the JSON report that have the name of a metric, alone or with what it is told in.
namespace pyrometer::export_ {

inline std::string NameOf(metric::Metric metric) {
  return std::string(metric::InfoOf(metric).name);
}
inline std::string SecondsOf(metric::Metric metric) { return NameOf(metric) + "_seconds"; }
inline std::string BytesOf(metric::Metric metric) { return NameOf(metric) + "_bytes"; }
inline std::string PercentOf(metric::Metric metric) { return NameOf(metric) + "_percent"; }

}  // namespace pyrometer::export_
