// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/report/call_tree.h"
#include "analyze/report/report.h"
#include "analyze/stacks/stack_amounts.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

struct CallTreeOptions {
  metric::Metric metric = metric::Metric::kTime;
  double threshold_percent = 1;
  // Native functions as nodes of their own, those that are the innermost for at
  // least the threshold; else their time is that of the Python function above.
  bool natives = false;
};

// Turns stacks into a tree of calls. One builder makes one tree.
//
//  - A function is one node under its caller, whatever its lines.
//  - Frames out of scope that follow each other are one node, named by the first.
//  - Repetitions of up to kMaxCycle functions (f > f, or f > g > f > g) are folded
//    into the first, so that every edge is a call that took place.
//  - Below kMaxDepth nodes, all is charged to the last of them.
//
// What it is made from must outlive the builder. Thread-safety: none; one owner.
class CallTreeBuilder {
 public:
  static constexpr uint32_t kMaxCycle = 8;
  static constexpr uint32_t kMaxDepth = 200;

  CallTreeBuilder(const profile::Profile& profile, const FrameTable& frames,
                  const CallTreeOptions& options);

  // `amounts` is in order of threads; `threads` describes the profile's threads,
  // by index. REQUIRES: called once.
  CallTree Build(std::span<const StackAmount> amounts,
                 const std::vector<const ThreadStats*>& threads);

 private:
  using Kind = CallNode::Kind;
  // What makes a node under its parent.
  struct Key {
    Kind kind;
    uint32_t id;  // thread, function or native, by kind
    auto operator<=>(const Key&) const = default;
  };
  struct Node {
    Key key;
    uint32_t parent = 0;  // itself for a root
    uint32_t depth = 0;
    bool recursive = false;
    CallAmount self = {};
    CallAmount total = {};
    std::set<std::pair<bool, uint32_t>> hidden = {};  // kLibrary: native or not, index
    std::vector<uint32_t> children = {};
  };

  void FindShownNatives(std::span<const StackAmount> amounts);
  void Place(const StackAmount& amount);
  uint32_t Root(std::optional<format::ThreadId> thread);
  uint32_t Child(uint32_t parent, Key key);
  // The node of `frame` when it is called from `node`.
  uint32_t Step(uint32_t node, format::FrameId frame);
  uint32_t Enter(uint32_t node, Key key);
  uint32_t Folded(uint32_t node);
  void SumTotals();
  // Copies what is worth it.
  uint32_t Copy(CallTree& tree, const Node& node,
                const std::vector<const ThreadStats*>& threads) const;
  std::vector<uint32_t> CopyChildren(CallTree& tree, const std::vector<uint32_t>& from,
                                     const std::vector<const ThreadStats*>& threads,
                                     std::vector<std::pair<uint32_t, uint32_t>>& open) const;
  bool Precedes(const Node& a, const Node& b) const;
  void Describe(const Node& node, const std::vector<const ThreadStats*>& threads,
                CallNode& copy) const;

  const profile::Profile& profile_;
  const FrameTable& frames_;
  const CallTreeOptions options_;
  CallAmount whole_;
  std::vector<bool> native_shown_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> roots_;
  std::map<std::pair<uint32_t, Key>, uint32_t> children_;
  std::map<Key, uint32_t> root_of_;
  // The node of each stack under the current root.
  struct Known {
    uint32_t root = 0xffffffff;
    uint32_t node = 0;
  };
  std::vector<Known> known_;
};

}  // namespace pyrometer::analyze
