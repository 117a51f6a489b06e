// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analyze/code/charged_spots.h"
#include "analyze/code/frame_table.h"
#include "analyze/memory/memory_charges.h"
#include "analyze/report/report.h"
#include "analyze/stacks/stack_walk.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Turns what the stacks of one process have, or those of all, into a View. It makes one view
// after the other: its tables are as large as the profile, but a view takes what is in it.
//
// What it is made from must outlive the builder.
// Thread-safety: none; one owner.
class ViewBuilder {
 public:
  // Fills in what a stack, by its number in the walk, has by itself, given an empty Breakdown.
  using OwnTime = std::function<void(uint32_t number, Breakdown* time)>;

  // `totals` as in ReportOptions; `profiled_only`: lines of functions with @profile and no others
  // get rows, and are charged for what they call.
  ViewBuilder(const profile::Profile& profile, const FrameTable& frames, bool totals,
              bool profiled_only);

  // `own` is asked once for each stack for which `used` is true. REQUIRES: called once for each
  // view, first.
  void Charge(const StackWalk& walk, const std::vector<bool>& used, const OwnTime& own);
  // Files, functions and totals; threads and elapsed time are left to the caller. `memory`: of the
  // same processes, null where none was recorded. REQUIRES: called once for each view.
  View Finish(const MemoryCharges* memory);

 private:
  struct Row {
    Breakdown self, scoped, total;
    bool seen = false;       // on any stack
    bool met = false;        // in Rows::met_
    uint32_t on_path = 0;    // how often it is on the stack that the walk is at
    uint32_t met_place = 0;  // in Rows::Met()
  };
  // The rows of a table, and which of them a view has come upon.
  class Rows {
   public:
    explicit Rows(size_t size) : rows_(size) {}
    Row& operator[](uint32_t i) { return rows_[i]; }
    Row& Meet(uint32_t i) {
      Row& row = rows_[i];
      if (!row.met) met_.push_back(i);
      row.met = true;
      return row;
    }
    // In their order, and their places in it are set.
    const std::vector<uint32_t>& Met();
    void Forget();

   private:
    std::vector<Row> rows_;
    std::vector<uint32_t> met_;
  };

  // The stack that the walk is at, and each of its callers.
  struct Level {
    Breakdown time;   // of all that was walked below it
    uint64_t ns = 0;  // the same of all threads, CPU and waits
    ChargedSpots spots;
  };
  void Enter(format::StackId stack);
  void Leave(format::StackId stack);
  void EnterPython(uint32_t spot, Level& level);
  // To everything that `stack` is charged to by itself.
  void Charge(format::StackId stack, Level& level, const Breakdown& time);
  // Rows of the outermost frame get what is below it, so that recursion counts once.
  void LeaveRow(Row& row, const Level& level);
  // Whether a row was on any stack, of time or of memory.
  static bool IsSeen(const Row& row, const MemoryRow& memory) { return row.seen || memory; }
  void MeetMemory(const MemoryCharges& memory);
  std::vector<uint32_t> LineFunctions();
  void FillLines(std::vector<FileStats>& files, const MemoryCharges* memory);
  void FillFunctions(std::vector<FileStats>& files, const MemoryCharges* memory);
  void FillFiles(View& view, const MemoryCharges* memory);
  void FillNatives(View& view);
  static void FillMemory(View& view, const MemoryCharges& charges);

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const bool totals_;
  const bool profiled_only_;
  std::vector<uint32_t> first_function_;  // by line: of its first spot
  std::vector<bool> chosen_;              // by line: whether it can have a row
  Rows files_, lines_, functions_, natives_;
  std::vector<uint64_t> spot_ns_;  // time with the spot on the stack
  std::vector<uint32_t> spots_;    // those that have any
  std::vector<Level> levels_;      // the first `depth_` are in use
  size_t depth_ = 0;
  Breakdown own_;
  Breakdown total_, no_python_, outside_;
};

}  // namespace pyrometer::analyze
