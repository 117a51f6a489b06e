// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/memory/memory_history.h"
#include "analyze/report/memory_account.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The memory of one process, or of all, charged to lines, functions, files and
// threads. All memory is charged to who allocated it, whoever frees it.
//
// What it is made from must outlive it. Thread-safety: immutable after construction.
class MemoryCharges {
 public:
  enum class Rows : bool { kNone, kAll };

  // `process` is empty for all; `totals` and `profiled_only` as for ViewBuilder. Without rows,
  // only the whole and the threads have anything.
  MemoryCharges(const profile::Profile& profile, const FrameTable& frames,
                const MemoryHistory& history, std::optional<format::ProcessId> process,
                const Span& span, Rows rows, bool totals, bool profiled_only);

  // Indices are those of the frame table.
  const MemoryRow& Line(uint32_t line) const { return rows_[LineKey(line)]; }
  const MemoryRow& Function(uint32_t function) const { return rows_[FunctionKey(function)]; }
  const MemoryRow& File(uint32_t file) const { return rows_[FileKey(file)]; }
  // By thread of the profile; empty where there is nothing.
  const MemoryStats& Thread(uint32_t thread) const { return threads_[thread]; }
  const MemoryStats& total() const { return total_; }
  const MemoryStats& without_python() const { return without_python_; }
  const MemoryStats& outside() const { return outside_; }
  uint64_t peak_ns() const { return peak_ns_; }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  enum : uint32_t { kWhole, kWithoutPython, kOutside, kFirstThread };  // accounts
  // A stack with memory, or one that such a stack hangs below.
  struct Node {
    uint32_t caller = kNone;  // the nearest that is in any total which this one is not in
    // Accounts of rows whose total begins to have it here: recursion counts once.
    std::array<uint32_t, 3> totals{kNone, kNone, kNone};
    uint32_t self = kNone, scoped = kNone, line = kNone;  // spots, as in ViewBuilder
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
  uint32_t NodeOf(format::StackId stack);
  Node MakeNode(format::StackId stack, uint32_t caller);
  bool IsInTotal(uint32_t node, uint32_t account) const;
  // Calls `use` with every account that memory of that thread and stack is in.
  template <class Use>
  void ForEach(format::ThreadId thread, format::StackId stack, Use use);
  template <class Use>
  void ForEachRow(uint32_t node, Use use);
  void AddChanges(const MemoryHistory& history);
  void AddSteps(const MemoryHistory& history);
  void AddMoments(const MemoryHistory& history);
  void SetWholeVariances();

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const std::optional<format::ProcessId> process_;
  const Span span_;
  const Rows rows_wanted_;
  const bool totals_;
  const bool profiled_only_;
  MemoryStats total_, without_python_, outside_;
  std::vector<MemoryStats> threads_;                   // by thread
  std::vector<MemoryRow> rows_;                        // by key
  std::vector<std::array<uint32_t, 3>> row_accounts_;  // the same, by part; kNone: not opened
  std::vector<MemoryAccount> accounts_;
  std::vector<uint32_t> node_of_;  // by stack
  std::vector<Node> nodes_;
  uint64_t peak_ns_ = 0;
};

// Whether what a process has allocated was sampled by pieces with one mark each (of any process,
// where none is named): docs/internals/memory-math.md.
bool IsSampledByPieces(const profile::Profile& profile,
                       std::optional<format::ProcessId> process = {});

}  // namespace pyrometer::analyze
