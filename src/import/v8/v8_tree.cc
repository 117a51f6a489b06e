// SPDX-License-Identifier: Apache-2.0
#include "import/v8/v8_tree.h"

namespace pyrometer::import_ {

uint32_t V8Tree::Add() {
  nodes_.emplace_back();
  constexpr size_t kNodeBytes = 64;  // with what readers keep for it
  maker_.Charge(kNodeBytes);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void V8Tree::SetFrame(uint32_t node, const V8Frame& frame) {
  Node& its = nodes_[node];
  if (frame.is_root()) {
    its.kind = Node::Kind::kRoot;
    return;
  }
  its.kind = frame.is_idle() ? Node::Kind::kIdle : Node::Kind::kFrame;
  its.frame = maker_.Frame(frame.Text());
  if (const auto thread = frame.Thread(maker_)) {
    its.kind = Node::Kind::kThread;
    its.thread = *thread;
  }
}

V8Tree::Place V8Tree::PlaceOf(const Node& node, const Place& caller) const {
  if (node.kind == Node::Kind::kRoot) return caller;
  if (node.kind == Node::Kind::kUnknown) {
    maker_.AddLoss("nodes without a frame");
    return caller;
  }
  // Inside of a call it is a function with a strange name.
  if (node.kind == Node::Kind::kThread && !caller.thread && caller.stack == format::kEmptyStack)
    return {.thread = node.thread};
  return {caller.thread, maker_.Stack(caller.stack, node.frame), node.kind == Node::Kind::kIdle};
}

std::vector<V8Tree::Place> V8Tree::Places() const {
  enum class State : uint8_t { kOpen, kOnPath, kDone };
  std::vector<Place> places(nodes_.size());
  std::vector<State> states(nodes_.size());
  std::vector<uint32_t> path;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    uint32_t at = i;
    while (at < nodes_.size() && states[at] == State::kOpen) {
      states[at] = State::kOnPath;
      path.push_back(at);
      at = nodes_[at].parent;
    }
    const bool circle = at < nodes_.size() && states[at] == State::kOnPath;
    if (circle) maker_.AddLoss("calls that are their own callers");
    if (at != kNoParent && at >= nodes_.size())
      maker_.AddLoss("callers that the file does not have");
    Place caller;
    if (at < nodes_.size() && !circle) caller = places[at];
    for (; !path.empty(); path.pop_back()) {
      const uint32_t node = path.back();
      caller = places[node] = PlaceOf(nodes_[node], caller);
      states[node] = State::kDone;
    }
  }
  return places;
}

}  // namespace pyrometer::import_
