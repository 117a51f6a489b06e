// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "format/records.h"

namespace pyrometer::capture {

// The newest samples of a thread, not written yet: what the thread's clock says more or less than
// its samples, which is known at its end, is shared out among them. Giving all of it to the last
// one would be as exact, but what short threads do last would have the time of what they did first.
//
// Pure. Thread-safety: one owner.
class HeldSamples {
 public:
  static constexpr size_t kMost = 8;

  // Adds the newest. Returns the oldest when there is no room for it any more.
  std::optional<format::Sample> Add(const format::Sample& sample) {
    std::optional<format::Sample> oldest;
    if (samples_.size() == kMost) {
      oldest = samples_.front();
      samples_.erase(samples_.begin());
    }
    samples_.push_back(sample);
    return oldest;
  }

  // The only one is worth `ns`.
  void Weigh(uint64_t ns) { samples_.back().weight_ns = ns; }

  // Shares out `ns`, which may be negative, in proportion to their weights.
  void Spread(int64_t ns) {
    double before = 0;
    for (const format::Sample& sample : samples_) before += static_cast<double>(sample.weight_ns);
    const double scale = before > 0 ? std::fmax(0, 1 + static_cast<double>(ns) / before) : 0;
    // Each is rounded together with those before it, so that the sum is exact.
    double passed = 0;
    for (format::Sample& sample : samples_) {
      const double begin = std::round(passed * scale);
      passed += static_cast<double>(sample.weight_ns);
      sample.weight_ns = static_cast<uint64_t>(std::round(passed * scale) - begin);
    }
  }

  bool empty() const { return samples_.empty(); }
  size_t size() const { return samples_.size(); }
  const format::Sample& newest() const { return samples_.back(); }

  std::vector<format::Sample> TakeAll() { return std::exchange(samples_, {}); }

 private:
  std::vector<format::Sample> samples_;  // oldest first
};

}  // namespace pyrometer::capture
