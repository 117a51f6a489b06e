// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::analyze {

struct Interval {
  double low = 0;
  double high = 0;
};

// Total weight of a set of samples, and the sum of their squared weights.
struct WeightSums {
  double sum = 0;
  double squares = 0;
};

// The 95 % interval for the time of `part`, in the unit of the weights, when
// the time of `whole` is known and samples fall on `part` at random. `part` is
// a subset of `whole`. Always 0 <= low <= part.sum <= high <= whole.sum, and
// finite. docs/internals/sampling-math.md derives it.
Interval ShareInterval(WeightSums part, WeightSums whole);

}  // namespace pyrometer::analyze
