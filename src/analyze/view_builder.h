// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/frame_table.h"
#include "analyze/memory_charges.h"
#include "analyze/report.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Turns the samples of one process, or of all, into a View. One builder makes
// one view.
//
// What it is made from must outlive the builder.
// Thread-safety: none; one owner.
class ViewBuilder {
 public:
  // `totals` as in ReportOptions; `profiled_only`: lines of functions with @profile and no others
  // get rows, and are charged for what they call. `memory`: of the same samples' processes, null
  // where none was recorded.
  ViewBuilder(const profile::Profile& profile, const FrameTable& frames, bool totals,
              bool profiled_only, const MemoryCharges* memory);

  // Adds time to everything on `stack`. Once for each distinct stack is
  // cheapest; more often is also right.
  void AddStack(format::StackId stack, const Breakdown& time);

  // Files, functions and totals with their intervals; threads and elapsed
  // time are left to the caller. REQUIRES: called once, last.
  View Finish();

 private:
  // Rows of one kind. `stamp` says in which AddStack a row was last counted in
  // `total`, so that recursion does not count it twice; 0: in none, at all.
  struct Row {
    Breakdown self, scoped, total;
    uint64_t stamp = 0;
  };
  using Rows = std::vector<Row>;

  void AddPython(const FrameTable::Spot& spot, const Breakdown& time);
  // Without totals, only notes that the row was seen.
  void AddTotal(Row& row, const Breakdown& time);
  void Seal(Row& row);
  // Whether a row was on any stack, of time or of memory.
  static bool IsSeen(const Row& row, const MemoryParts* memory) {
    return row.stamp != 0 || memory != nullptr;
  }
  const MemoryParts* LineMemory(size_t i) const {
    return memory_ == nullptr ? nullptr : memory_->Line(static_cast<uint32_t>(i));
  }
  // Without totals: what AddStack would have added to spots on its way out.
  void AddSpots();
  std::vector<std::string> LineFunctions() const;
  std::vector<bool> ChosenLines() const;
  void FillFiles(View& view);
  void FillNatives(View& view);
  void FillMemory(View& view) const;

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const bool totals_;
  const bool profiled_only_;
  const MemoryCharges* const memory_;
  Rows files_, lines_, functions_, natives_;
  std::vector<uint64_t> spot_ns_;   // time with the spot on the stack
  std::vector<uint64_t> stack_ns_;  // without totals: time of the stack itself, by StackId
  Breakdown total_, no_python_, outside_;
  uint64_t stamp_ = 0;
};

}  // namespace pyrometer::analyze
