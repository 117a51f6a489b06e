// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/pair_index.h"
#include "export/core/exchange.h"
#include "export/tables/metric_values.h"

namespace pyrometer::export_ {

// One metric of a profile, added up by stack and, where wanted, by thread. StackSums knows
// all metrics at once, and has to visit the samples stack by stack for it; here they are
// taken as they lie in memory.
//
// `from` must outlive it. Thread-safety: none; one owner.
class MetricSums {
 public:
  enum class Threads : bool { kTogether, kApart };
  struct Sum {
    uint64_t value = 0;
    uint64_t samples = 0;  // that it is the sum of; 0 for memory
  };
  using Visit = std::function<void(uint32_t node, uint32_t thread, const Sum& sum)>;

  MetricSums(const Exchange& from, Metric metric, Threads threads);

  // What is not 0: callers first, and of one stack the threads in the order in which they
  // came. Threads that are together are all 0.
  void ForEach(const Visit& visit) const;

 private:
  struct Key {
    uint32_t node;
    uint32_t thread;
  };

  void AddSamples(Metric metric);
  void AddAmounts(Metric metric);
  void AddMemory(Metric metric);
  Sum& Of(format::StackId stack, format::ThreadId thread);

  const Exchange& from_;
  const bool apart_;
  // Of threads that are apart.
  base::PairIndex index_;  // node and thread
  std::vector<Key> keys_;
  std::vector<Sum> sums_;  // by number in index_, or by node
};

}  // namespace pyrometer::export_
