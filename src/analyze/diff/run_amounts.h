// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/code/scope.h"
#include "analyze/diff/code_listing.h"
#include "metric/values.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// How much of a metric a row has: ns or bytes.
struct RunSum {
  double value = 0;
  double squares = 0;  // sum of the squares of what each sample stands for
  uint64_t samples = 0;

  void Add(const RunSum& other) {
    value += other.value;
    squares += other.squares;
    samples += other.samples;
  }
};

// Of each metric. Waits for a CPU are in no sum: they are what other programs do to this one.
class RunSums {
 public:
  RunSum operator[](metric::Metric metric) const;
  // REQUIRES: the metric is a recorded one.
  void Add(metric::Metric metric, const RunSum& sum) { sums_.At(metric).Add(sum); }
  void Add(const RunSums& other) { sums_.Add(other.sums_); }
  bool empty() const { return sums_.empty(); }

 private:
  metric::Values<RunSum> sums_;
};

// What one recorded run has by function, line and call path of the user's code, as
// plain values that need little memory. Each sample counts for its innermost frame
// in scope.
struct RunAmounts {
  struct Function {
    uint32_t file = 0;
    std::string name{};  // qualified
    uint32_t first_line = 0;
    RunSums sums{};
  };
  struct Line {
    uint32_t function = 0;
    uint32_t line = 0;
    RunSums sums{};
  };
  // Functions in scope, outermost first; the innermost has the sums.
  struct Path {
    std::vector<uint32_t> functions{};
    RunSums sums{};
  };
  struct File {
    std::string path{};                // as recorded
    std::string relative{};            // to where the program was started, or is installed
    std::vector<std::string> lines{};  // empty: no text was recorded
  };

  std::string capture{};  // the file that it was read from
  std::vector<std::string> command{};
  std::string working_directory{};
  std::string interpreter{};  // of the first process
  std::string clock{};
  uint64_t sample_period_ns = 0;
  uint64_t start_unix_ns = 0;
  uint64_t elapsed_ns = 0;
  std::optional<uint64_t> only_cpu{};  // that all of its processes had to share
  size_t processes = 0;
  bool has_time = false;
  bool has_memory = false;
  bool complete = false;  // read to an orderly end
  RunSums totals{};
  RunSums outside{};  // no frame in scope
  std::vector<File> files{};
  std::vector<Function> functions{};
  std::vector<Line> lines{};
  std::vector<Path> paths{};

  metric::Mask declared = 0;  // metrics that its recording declares

  bool Has(metric::Metric metric) const {
    if (metric::IsDeclared(metric)) return (declared & metric::Bit(metric)) != 0;
    return metric::IsMemory(metric) ? has_memory : has_time;
  }
};

// Metrics that the profile declares get numbers of `table`, which the runs of a comparison share;
// those for which it has no room are left out.
RunAmounts SumRun(const profile::Profile& profile, const Scope& scope, metric::Table* table);

// What a run has something of, to be found again in others. `run` must outlive it.
CodeListing ListingOf(const RunAmounts& run);

}  // namespace pyrometer::analyze
