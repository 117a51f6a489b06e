// SPDX-License-Identifier: Apache-2.0
#pragma once

// Probabilities for tests of differences.
namespace pyrometer::analyze {

// The chance that Student's t with `freedom` degrees of freedom is at least as far
// from 0 as `t`, on either side. REQUIRES: freedom > 0
double StudentP(double t, double freedom);

// The distance from 0 that it exceeds with the chance `p`, on both sides together.
// REQUIRES: 0 < p <= 1
double StudentBound(double p, double freedom);

// The chance that of `all` events, each of which is of one kind with probability
// `share`, a number of them is of that kind that is as far from what is to be
// expected as `some`, or farther, on either side: twice the smaller tail.
// REQUIRES: 0 <= some <= all, 0 < share < 1
double BinomialP(double some, double all, double share);

}  // namespace pyrometer::analyze
