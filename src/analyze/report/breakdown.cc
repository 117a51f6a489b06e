// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/breakdown.h"

namespace pyrometer::analyze {

Interval Amount::SecondsOf(const Amount& whole) const {
  constexpr double kSecondsPerNs = 1e-9;
  const Interval interval = ShareInterval({static_cast<double>(ns), squares},
                                          {static_cast<double>(whole.ns), whole.squares});
  return {interval.low * kSecondsPerNs, interval.high * kSecondsPerNs};
}

Amount Breakdown::operator[](metric::Metric metric) const {
  return values_.Sum(metric::PartsOf(metric));
}

}  // namespace pyrometer::analyze
