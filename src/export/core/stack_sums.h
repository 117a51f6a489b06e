// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/grouped_rows.h"
#include "base/pair_index.h"
#include "export/core/exchange.h"
#include "export/tables/region_index.h"

namespace pyrometer::export_ {

// All that a profile measured, added up by stack and by who ran it: thread, task and
// region. Stacks come one after the other, so that only one is in memory at a time.
//
// `from` must outlive it. Thread-safety: none; one owner.
class StackSums {
 public:
  struct Context {
    uint32_t thread = 0;
    uint32_t task = 0;          // index + 1; 0: none
    format::StringId region{};  // its name; empty: none
  };
  struct Row {
    uint32_t context = 0;
    MetricValues values{};
  };
  using Visit = std::function<void(uint32_t node, std::span<const Row> rows)>;

  explicit StackSums(const Exchange& from);

  // Stacks that have something, callers first. The numbers of contexts are valid from
  // their first row on.
  void ForEach(const Visit& visit);
  const Context& context(uint32_t number) const { return contexts_[number]; }

 private:
  // What a stack has that no sample is about: memory, and what the recording declares.
  struct Part {
    uint32_t node;
    uint32_t thread;
    Metric metric;
    uint64_t value;
  };

  static std::vector<Part> PartsOf(const Exchange& from);
  uint32_t ContextOf(uint32_t thread, uint32_t task, format::StringId region);
  uint32_t ContextOfSample(uint32_t sample);
  Row& RowOf(uint32_t context);

  const Exchange& from_;
  // By node. Made first: what it takes to find out is gone when the samples come.
  const std::vector<Part> parts_;
  const base::GroupedRows samples_;  // by node
  const RegionIndex regions_;
  std::vector<Context> contexts_;
  base::PairIndex with_task_;     // thread and task
  base::PairIndex with_region_;   // number in with_task_, and region
  std::vector<Row> rows_;         // of the current stack
  std::vector<uint32_t> row_of_;  // plus one, by context; 0: none yet
};

}  // namespace pyrometer::export_
