// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "import/core/profile_maker.h"
#include "import/v8/v8_frame.h"

namespace pyrometer::import_ {

// The tree of calls in a profile of V8. Nodes are made in any order, and their parents may be
// anything: a node that is its own ancestor loses its callers.
//
// Thread-safety: none; one owner.
class V8Tree {
 public:
  static constexpr uint32_t kNoParent = 0xffffffff;

  explicit V8Tree(ProfileMaker& maker) : maker_(maker) {}

  // Makes a node; its number is one more than that of the last.
  uint32_t Add();
  void SetParent(uint32_t node, uint32_t parent) { nodes_[node].parent = parent; }
  void SetFrame(uint32_t node, const V8Frame& frame);
  size_t size() const { return nodes_.size(); }

  // When all nodes are there: who ran what, by node.
  struct Place {
    std::optional<format::ThreadId> thread{};  // in exports of pyrometer
    format::StackId stack{};
    bool idle = false;
  };
  std::vector<Place> Places() const;

 private:
  struct Node {
    uint32_t parent = kNoParent;
    enum class Kind : uint8_t { kUnknown, kRoot, kThread, kIdle, kFrame } kind = Kind::kUnknown;
    format::FrameId frame{};
    format::ThreadId thread{};
  };

  Place PlaceOf(const Node& node, const Place& caller) const;

  ProfileMaker& maker_;
  std::vector<Node> nodes_;
};

}  // namespace pyrometer::import_
