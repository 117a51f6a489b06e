// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/grouped_rows.h"
#include "export/core/exchange.h"

namespace pyrometer::export_ {

// What each thread did in the order of time: its samples as slices that do not
// overlap. One look at a thread may bring several samples with the same end (so much
// on a CPU, so much waiting for one); their ends are moved forward so that they follow
// each other, as the page does. A gap that is shorter than the sample after it belongs
// to the slice before; `weight_ns` knows nothing of it.
//
// `from` must outlive it. Thread-safety: immutable after construction.
class ThreadTimeline {
 public:
  struct Slice {
    uint64_t begin_ns = 0;
    uint64_t end_ns = 0;
    uint32_t node = 0;
    uint64_t weight_ns = 0;
    uint64_t cpu_ns = 0;
    uint64_t samples = 0;
  };

  explicit ThreadTimeline(const Exchange& from);

  // Neighbours on the same stack are one.
  std::vector<Slice> Of(uint32_t thread) const;

 private:
  const Exchange& from_;
  const base::GroupedRows samples_;  // by thread
};

}  // namespace pyrometer::export_
