// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/pair_index.h"
#include "import/core/profile_maker.h"
#include "metric/values.h"

namespace pyrometer::import_ {

// Puts together again what an export of pyrometer has taken apart: values of one metric each,
// in any order.
//
// Thread-safety: none; one owner.
class OwnMetrics {
 public:
  explicit OwnMetrics(ProfileMaker& maker) : maker_(maker) {}

  void Add(format::ThreadId thread, format::StackId stack, metric::Metric metric, uint64_t value);
  // Call once, at the end.
  void Finish();

 private:
  struct Value {
    uint32_t place;  // in places_
    metric::Metric metric;
    uint64_t value;
  };
  struct Place {
    format::ThreadId thread;
    format::StackId stack;
  };
  struct Sum {
    uint64_t value = 0;
  };
  using Sums = metric::Values<Sum>;

  void Finish(const Place& place, const Sums& sums);

  ProfileMaker& maker_;
  base::PairIndex index_;  // thread and stack
  std::vector<Place> places_;
  std::vector<Value> values_;
  bool has_activities_ = false;
  bool has_wall_ = false;
};

}  // namespace pyrometer::import_
