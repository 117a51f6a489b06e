// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "metric/metric.h"

namespace pyrometer::analyze {

// Who calls whom, by one metric, as plain values.
//
// Sums hold to the nanosecond, or byte: total == self + sum of children's total,
// and the roots add up to the whole.
struct CallAmount {
  uint64_t value = 0;  // ns, or bytes
  uint64_t samples = 0;
  std::array<uint64_t, 4> parts{};  // of `value`: Python, native, kernel, wait

  void Add(const CallAmount& other);
};

struct CallNode {
  enum class Kind {
    kThread,    // a root
    kTasks,     // the root of tasks that wait, which no thread does
    kFunction,  // in scope
    kLibrary,   // a call that leaves the scope, up to where it comes back
    kNative,
    kRest,  // what is below the threshold here
  };
  Kind kind = Kind::kFunction;
  std::string name;                   // of the function, or of the thread
  std::string path;                   // file, or module of a native function
  uint32_t line = 0;                  // where the function begins
  uint64_t pid = 0;                   // of threads
  uint64_t tid = 0;                   // of threads
  bool main = false;                  // the main thread of its process
  bool recursive = false;             // what it calls calls it again; folded
  uint64_t functions = 0;             // kLibrary: how many, itself included; kRest: how many nodes
  std::vector<std::string> packages;  // kLibrary: what they belong to
  CallAmount self;
  CallAmount total;
  std::vector<uint32_t> children;  // most first, kRest last
};

struct CallTree {
  metric::Metric metric = metric::Metric::kTime;
  double threshold_percent = 0;
  CallAmount total;
  std::vector<CallNode> nodes;  // callers before what they call
  std::vector<uint32_t> roots;  // most first

  // Percent of the whole.
  double Percent(uint64_t value) const;
  // At least the threshold, and not nothing.
  bool IsWorth(uint64_t value) const;
};

}  // namespace pyrometer::analyze
