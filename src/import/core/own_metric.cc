// SPDX-License-Identifier: Apache-2.0
#include "import/core/own_metric.h"

#include <algorithm>
#include <array>

namespace pyrometer::import_ {

using metric::Metric;

void OwnMetrics::Add(format::ThreadId thread, format::StackId stack, Metric metric,
                     uint64_t value) {
  has_activities_ |= metric <= Metric::kOtherWait;
  has_wall_ |= metric == Metric::kWall;
  const uint32_t known = index_.size();
  const uint32_t place = index_.Number(thread.value, stack.value);
  if (place == known) places_.push_back({thread, stack});
  values_.push_back({place, metric, value});
  constexpr size_t kValueBytes = 64;
  maker_.Charge(kValueBytes);
}

void OwnMetrics::Finish(const Place& place, const Sums& sums) {
  struct Time {
    std::optional<format::Activity> activity;
    uint64_t ns;
  };
  std::array<Time, format::kActivityCount> times;
  size_t count = 0;
  for (size_t i = 0; i < format::kActivityCount; ++i)
    if (const uint64_t ns = sums[Metric(i)].value; ns > 0)
      times[count++] = {static_cast<format::Activity>(i), ns};
  if (!has_activities_)
    if (const uint64_t ns = sums[has_wall_ ? Metric::kWall : Metric::kCpu].value; ns > 0)
      times[count++] = {{}, ns};
  uint64_t samples = sums[Metric::kSamples].value;
  if (count == 0 && samples > 0) times[count++] = {{}, 0};
  // The file has the samples of the stack, whatever it did. Each kind of time was seen
  // once at least.
  for (size_t i = 0; i < count; ++i) {
    const uint64_t others = count - i - 1;
    const uint64_t its = i + 1 == count || samples <= others ? std::max<uint64_t>(samples, 1)
                         : i == 0                            ? samples - others
                                                             : 1;
    samples -= std::min(samples, its);
    maker_.AddTime(place.thread, place.stack,
                   {.weight_ns = times[i].ns, .count = its, .activity = times[i].activity});
  }
  const auto amount = [&](Metric metric) -> std::optional<MemoryValue::Amount> {
    if (sums[metric].value == 0) return {};
    return MemoryValue::Amount{sums[metric].value, 0};
  };
  const MemoryValue memory{amount(Metric::kAllocated), amount(Metric::kLiveAtPeak),
                           amount(Metric::kLiveAtExit), amount(Metric::kCopied)};
  if (memory.allocated || memory.at_peak || memory.left || memory.copied)
    maker_.AddMemory(place.thread, place.stack, memory);
}

void OwnMetrics::Finish() {
  std::ranges::sort(values_, {}, &Value::place);
  for (auto begin = values_.begin(); begin != values_.end();) {
    const uint32_t place = begin->place;
    Sums sums;
    for (; begin != values_.end() && begin->place == place; ++begin)
      sums.At(begin->metric).value += begin->value;
    Finish(places_[place], sums);
  }
  if (!has_activities_ && !values_.empty())
    maker_.AddNote("what a thread did is told by its innermost frame: the file has one metric");
}

}  // namespace pyrometer::import_
