// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/diff/code_table.h"
#include "analyze/diff/run_amounts.h"
#include "analyze/stats/change.h"

namespace pyrometer::analyze {

// The amounts of both sides by function, line and call path, each row with its values
// in all runs: those of the base, then those of the new side.
//
// Refers to the runs. Thread-safety: immutable after construction.
class DiffRows {
 public:
  struct Row {
    std::vector<const RunSums*> runs{};  // nullptr: nothing in that run
    uint32_t function = 0;               // that it belongs to; of the outside, one behind all
    uint32_t code = 0;                   // of a line: index in code().lines()
    std::vector<uint32_t> path{};        // of a call path: functions
  };

  DiffRows(std::span<const RunAmounts> base, std::span<const RunAmounts> now);

  const CodeTable& code() const { return code_; }
  size_t run_count() const { return runs_.size(); }
  bool IsNew(size_t run) const { return run >= base_count_; }
  const RunAmounts& Run(size_t run) const { return *runs_[run]; }

  // Whether all runs were recorded side by side with one of the other side.
  bool paired() const { return !pairs_.empty(); }
  // A number that one run of each side has. REQUIRES: paired()
  uint32_t PairOf(size_t run) const { return pairs_[run]; }

  // By index of the function; the last is what is outside of the user's code.
  const std::vector<Row>& functions() const { return functions_; }
  const std::vector<Row>& lines() const { return lines_; }
  const std::vector<Row>& paths() const { return paths_; }

 private:
  std::vector<const RunAmounts*> runs_;
  size_t base_count_;
  std::vector<uint32_t> pairs_;  // by run; empty: they are no pairs
  CodeTable code_;
  std::vector<Row> functions_, lines_, paths_;
};

}  // namespace pyrometer::analyze
