// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/pair_index.h"
#include "import/profile_maker.h"

namespace pyrometer::import_ {

// What pyrometer's own exports say of each stack. The first are those of format::Activity.
enum class OwnMetric : uint8_t {
  kOtherWait = format::kActivityCount - 1,
  kWall,  // all times
  kCpu,   // those on the processor
  kSamples,
  kAllocated,
  kLiveAtPeak,
  kLeftAtEnd,
  kCopied,
};
inline constexpr size_t kOwnMetricCount = format::kActivityCount + 7;

std::optional<OwnMetric> FindOwnMetric(std::string_view name);

// Puts together again what an export of pyrometer has taken apart: values of one metric each,
// in any order.
//
// Thread-safety: none; one owner.
class OwnMetrics {
 public:
  explicit OwnMetrics(ProfileMaker& maker) : maker_(maker) {}

  void Add(format::ThreadId thread, format::StackId stack, OwnMetric metric, uint64_t value);
  // Call once, at the end.
  void Finish();

 private:
  struct Value {
    uint32_t place;  // in places_
    OwnMetric metric;
    uint64_t value;
  };
  struct Place {
    format::ThreadId thread;
    format::StackId stack;
  };
  class Sums;

  void Finish(const Place& place, const Sums& sums);

  ProfileMaker& maker_;
  base::PairIndex index_;  // thread and stack
  std::vector<Place> places_;
  std::vector<Value> values_;
  bool has_activities_ = false;
  bool has_wall_ = false;
};

}  // namespace pyrometer::import_
