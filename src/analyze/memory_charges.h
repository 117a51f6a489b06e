// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyze/frame_table.h"
#include "analyze/memory_account.h"
#include "analyze/memory_history.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The memory of one process, or of all, charged to lines, functions, files and
// threads. All memory is charged to who allocated it, whoever gives it back.
//
// What it is made from must outlive it. Thread-safety: immutable after construction.
class MemoryCharges {
 public:
  // `process` is empty for all; `totals` and `profiled_only` as for ViewBuilder.
  MemoryCharges(const profile::Profile& profile, const FrameTable& frames,
                const MemoryHistory& history, std::optional<format::ProcessId> process,
                const Span& span, bool totals, bool profiled_only);

  // Null where there is nothing. Indices are those of the frame table.
  const MemoryParts* Line(uint32_t line) const { return Find(LineKey(line)); }
  const MemoryParts* Function(uint32_t function) const { return Find(FunctionKey(function)); }
  const MemoryParts* File(uint32_t file) const { return Find(FileKey(file)); }
  // By thread of the profile; empty where there is nothing.
  const MemoryStats& Thread(uint32_t thread) const;
  const MemoryStats& total() const { return accounts_[kTotal].stats; }
  const MemoryStats& without_python() const { return accounts_[kWithoutPython].stats; }
  const MemoryStats& outside() const { return accounts_[kOutside].stats; }
  uint64_t peak_ns() const { return peak_ns_; }

 private:
  enum : uint32_t { kTotal, kWithoutPython, kOutside };  // accounts of the whole
  enum : uint32_t { kSelf, kScoped, kTotalOfRow, kRowAccounts };
  using Charges = std::vector<uint32_t>;  // indices in accounts_

  uint64_t LineKey(uint32_t line) const { return line; }
  uint64_t FunctionKey(uint32_t function) const { return frames_.lines().size() + function; }
  uint64_t FileKey(uint32_t file) const {
    return frames_.lines().size() + frames_.functions().size() + file;
  }
  const MemoryParts* Find(uint64_t key) const;
  // The first of a row's accounts, which are opened when first asked for.
  uint32_t RowAccounts(uint64_t key);
  uint32_t ThreadAccount(format::ThreadId thread);
  Charges FindCharges(format::StackId stack);
  // Calls `use` with every account that memory of that thread and stack is in.
  template <class Use>
  void ForEach(format::ThreadId thread, format::StackId stack, Use use);
  void AddChanges(const MemoryHistory& history);
  void AddSteps(const MemoryHistory& history);
  void AddMoments(const MemoryHistory& history);
  void SetWholeVariances();
  void Close();

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const std::optional<format::ProcessId> process_;
  const Span span_;
  const bool totals_;
  const bool profiled_only_;
  std::deque<MemoryAccount> accounts_;
  std::unordered_map<uint64_t, uint32_t> rows_;     // by key
  std::unordered_map<uint32_t, uint32_t> threads_;  // by thread
  std::unordered_map<uint32_t, Charges> charges_;   // by stack
  std::unordered_map<uint64_t, MemoryParts> parts_;
  uint64_t peak_ns_ = 0;
};

}  // namespace pyrometer::analyze
