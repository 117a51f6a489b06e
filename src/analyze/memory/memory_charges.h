// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "analyze/code/charged_spots.h"
#include "analyze/code/frame_table.h"
#include "analyze/memory/memory_history.h"
#include "analyze/report/memory_account.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The memory of one process, or of all, charged to lines, functions, files and
// threads. All memory is charged to who allocated it, whoever frees it.
//
// One can charge for one process after the other: its tables are as large as the profile, but to
// charge takes what the process has, not what they have.
//
// What it is made from must outlive it. Thread-safety: none; one owner.
class MemoryCharges {
 public:
  enum class Rows : bool { kNone, kAll };

  // `totals` and `profiled_only` as for ViewBuilder.
  MemoryCharges(const profile::Profile& profile, const FrameTable& frames,
                const MemoryHistory& history, bool totals, bool profiled_only);

  // Of `process`, or of all if it is empty. Without rows, only the whole and the threads have
  // anything. What was charged before is gone.
  void Charge(std::optional<format::ProcessId> process, const Span& span, Rows rows);

  // Lines, functions and files that have anything. Indices are those of the frame table.
  template <class OnLine, class OnFunction, class OnFile>
  void ForEachIndex(OnLine on_line, OnFunction on_function, OnFile on_file) const {
    for (const uint32_t key : charged_keys_) {
      if (key < FunctionKey(0))
        on_line(key - LineKey(0));
      else if (key < FileKey(0))
        on_function(key - FunctionKey(0));
      else
        on_file(key - FileKey(0));
    }
  }
  const MemoryRow& Line(uint32_t line) const { return RowOf(LineKey(line)); }
  const MemoryRow& Function(uint32_t function) const { return RowOf(FunctionKey(function)); }
  const MemoryRow& File(uint32_t file) const { return RowOf(FileKey(file)); }
  // By thread of the profile; empty where there is nothing.
  const MemoryStats& Thread(uint32_t thread) const { return threads_[thread]; }
  const MemoryStats& total() const { return total_; }
  const MemoryStats& without_python() const { return without_python_; }
  const MemoryStats& outside() const { return outside_; }
  uint64_t peak_ns() const { return peak_ns_; }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  enum : uint32_t { kWhole, kWithoutPython, kOutside };  // accounts
  // A stack with memory, or one that such a stack hangs below.
  struct Node {
    uint32_t caller = kNone;  // the nearest that is in any total which this one is not in
    // Accounts of rows whose total begins to have it here: recursion counts once.
    std::array<uint32_t, 3> totals{kNone, kNone, kNone};
    ChargedSpots spots;
  };

  uint32_t LineKey(uint32_t line) const { return line; }
  uint32_t FunctionKey(uint32_t function) const {
    return static_cast<uint32_t>(frames_.lines().size()) + function;
  }
  uint32_t FileKey(uint32_t file) const {
    return static_cast<uint32_t>(frames_.lines().size() + frames_.functions().size()) + file;
  }
  // Lines, functions and files that a spot is of.
  std::array<uint32_t, 3> KeysOf(uint32_t spot) const;
  // Of a part of a row: opened when first asked for.
  uint32_t AccountOf(uint32_t key, MemoryRow::Part part);
  uint32_t AccountOf(format::ThreadId thread);
  const MemoryRow& RowOf(uint32_t key) const;
  void Forget();
  uint32_t NodeOf(format::StackId stack);
  Node MakeNode(format::StackId stack, uint32_t caller);
  bool IsInTotal(uint32_t node, uint32_t account) const;
  // Calls `use` with every account that memory of that thread and stack is in.
  template <class Use>
  void ForEach(format::ThreadId thread, format::StackId stack, Use use);
  template <class Use>
  void ForEachRow(uint32_t node, Use use);
  void AddChanges();
  void AddSteps();
  void AddMoments();
  void SetWholeVariances();

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const MemoryHistory& history_;
  const bool totals_;
  const bool profiled_only_;
  // Of the last charge:
  std::optional<format::ProcessId> process_;
  Span span_;
  Rows rows_wanted_ = Rows::kNone;
  MemoryStats total_, without_python_, outside_;
  std::vector<MemoryStats> threads_;                   // by thread
  std::vector<uint32_t> thread_accounts_;              // by thread; kNone: not opened
  std::vector<uint32_t> charged_threads_;              // those that are
  std::vector<uint32_t> row_of_;                       // in rows_, by key; kNone: it has nothing
  std::vector<uint32_t> charged_keys_;                 // those that have
  std::deque<MemoryRow> rows_;                         // accounts refer to what is in them
  std::vector<std::array<uint32_t, 3>> row_accounts_;  // the same, by part; kNone: not opened
  std::vector<MemoryAccount> accounts_;
  std::vector<uint32_t> node_of_;        // by stack
  std::vector<format::StackId> stacks_;  // those that have nodes, in the order of these
  std::vector<Node> nodes_;
  uint64_t peak_ns_ = 0;
};

// Whether what any process has allocated was sampled by pieces with one mark each:
// docs/internals/memory-math.md.
bool IsSampledByPieces(const profile::Profile& profile);

}  // namespace pyrometer::analyze
