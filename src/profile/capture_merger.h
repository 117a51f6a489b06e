// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/pair_index.h"
#include "format/capture_writer.h"
#include "profile/profile.h"

namespace pyrometer::profile {

// Writes several profiles as one capture: their processes side by side, their frames and
// stacks shared. Of one profile it makes a capture.
//
// `writer` must outlive it. Thread-safety: none; one owner.
class CaptureMerger {
 public:
  explicit CaptureMerger(format::CaptureWriter& writer) : writer_(writer) {}

  // Adds a profile whose time 0 is `offset_ns` of the merged one. It may go away.
  void Add(const Profile& profile, uint64_t offset_ns);

  // When the last of them ended.
  uint64_t end_ns() const { return end_ns_; }

 private:
  // What the ids of the profile that is being added have become.
  struct Places {
    std::vector<format::StringId> strings;
    std::vector<format::ProcessId> processes;
    std::vector<format::ThreadId> threads;
    std::vector<format::CodeId> codes;
    std::vector<format::ModuleId> modules;
    std::vector<format::FrameId> frames;
    std::vector<format::StackId> stacks;
    std::vector<format::TaskId> tasks;
  };
  using SymbolKey = std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>;
  // Kind, code, module or name, line, address, and of native frames what they are called:
  // of imported ones the address says nothing.
  using FrameKey = std::tuple<format::FrameKind, uint32_t, uint32_t, uint64_t, SymbolKey>;

  void AddDefinitions(const Profile& profile);
  void AddFrames(const Profile& profile);
  void AddOwners(const Profile& profile);
  void AddMeasurements(const Profile& profile);
  void AddMemory(const Profile& profile);
  void AddAmounts(const Profile& profile);
  void AddCounters(const Profile& profile);
  uint64_t At(uint64_t time_ns) const { return offset_ns_ + time_ns; }

  format::CaptureWriter& writer_;
  Places places_;
  uint64_t offset_ns_ = 0;
  uint64_t end_ns_ = 0;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, format::CodeId> codes_;
  std::map<std::pair<uint32_t, std::string>, format::ModuleId> modules_;
  std::map<FrameKey, format::FrameId> frames_;
  base::PairIndex stacks_;  // caller and frame; the number + 1 is the id
  std::map<std::string, format::MetricId> metrics_;
  std::set<uint32_t> sources_;  // paths that have one
};

}  // namespace pyrometer::profile
