// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// Who called whom, for formats that know functions and calls but no stacks. In a stack
// in which a function, a line or a call occurs several times it counts once for its total.
//
// `from` must outlive it. Thread-safety: immutable after construction.
class CallGraph {
 public:
  enum class Callers { kLines, kFunctions };
  struct Cost {
    MetricValues self{};  // in it and in nothing that it called
    MetricValues total{};
  };
  struct Call {
    uint32_t caller = 0;  // a frame, or a function
    uint32_t callee = 0;  // a function
    MetricValues self{};  // of the callee, when called from there
    MetricValues total{};
  };

  CallGraph(const Exchange& from, Callers callers);

  // By function of the Exchange.
  const std::vector<Cost>& functions() const { return functions_; }
  // By frame of the Exchange.
  const std::vector<Cost>& frames() const { return frames_; }
  // By caller.
  const std::vector<Call>& calls() const { return calls_; }
  const MetricValues& all() const { return all_; }

 private:
  class Walk;

  std::vector<Cost> functions_;
  std::vector<Cost> frames_;
  std::vector<Call> calls_;
  MetricValues all_;
};

}  // namespace pyrometer::export_
