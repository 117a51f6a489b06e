// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/memory/memory_charges.h"
#include "analyze/report/report.h"
#include "analyze/stacks/stack_walk.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Turns what the stacks of one process have, or those of all, into a View. One builder makes
// one view.
//
// What it is made from must outlive the builder.
// Thread-safety: none; one owner.
class ViewBuilder {
 public:
  // Fills in what a stack has by itself, given an empty Breakdown.
  using OwnTime = std::function<void(format::StackId stack, Breakdown* time)>;

  // `totals` as in ReportOptions; `profiled_only`: lines of functions with @profile and no others
  // get rows, and are charged for what they call.
  ViewBuilder(const profile::Profile& profile, const FrameTable& frames, const StackWalk& walk,
              bool totals, bool profiled_only);

  // `own` is asked once for each stack for which `used` is true. REQUIRES: called once, first.
  void Charge(const std::vector<bool>& used, const OwnTime& own);
  // Files, functions and totals; threads and elapsed time are left to the caller. `memory`: of the
  // same processes, null where none was recorded. REQUIRES: called once.
  View Finish(const MemoryCharges* memory);

 private:
  struct Row {
    Breakdown self, scoped, total;
    bool seen = false;     // on any stack
    uint32_t on_path = 0;  // how often it is on the stack that the walk is at
  };
  using Rows = std::vector<Row>;

  // The stack that the walk is at, and each of its callers.
  struct Level {
    Breakdown time;                           // of all that was walked below it
    uint64_t ns = 0;                          // the same of all threads, CPU and waits
    uint32_t self = 0, scoped = 0, line = 0;  // spots that it is charged to, or kNone
  };
  static constexpr uint32_t kNone = 0xffffffff;

  void Enter(format::StackId stack, bool has_own, const OwnTime& own);
  void Leave(format::StackId stack);
  void EnterPython(uint32_t spot, Level& level);
  // To everything that `stack` is charged to by itself.
  void Charge(format::StackId stack, Level& level, const Breakdown& time);
  // Rows of the outermost frame get what is below it, so that recursion counts once.
  void LeaveRow(Row& row, const Level& level);
  // Whether a row was on any stack, of time or of memory.
  static bool IsSeen(const Row& row, const MemoryRow& memory) { return row.seen || memory; }
  MemoryRow LineMemory(size_t i) const {
    return memory_ == nullptr ? MemoryRow() : memory_->Line(static_cast<uint32_t>(i));
  }
  std::vector<std::string> LineFunctions() const;
  std::vector<bool> ChosenLines() const;
  void FillFiles(View& view);
  void FillNatives(View& view);
  void FillMemory(View& view) const;

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const StackWalk& walk_;
  const bool totals_;
  const bool profiled_only_;
  const MemoryCharges* memory_ = nullptr;
  Rows files_, lines_, functions_, natives_;
  std::vector<uint64_t> spot_ns_;  // time with the spot on the stack
  std::vector<Level> levels_;      // the first `depth_` are in use
  size_t depth_ = 0;
  Breakdown own_;
  Breakdown total_, no_python_, outside_;
};

}  // namespace pyrometer::analyze
