// SPDX-License-Identifier: Apache-2.0
#include "analyze/calls/call_tree_builder.h"

#include <algorithm>
#include <array>
#include <string>

#include "analyze/code/package_name.h"

namespace pyrometer::analyze {

CallTreeBuilder::CallTreeBuilder(const profile::Profile& profile, const FrameTable& frames,
                                 const CallTreeOptions& options)
    : profile_(profile),
      frames_(frames),
      options_(options),
      native_shown_(frames.natives().size()),
      known_(profile.stacks.size()) {}

void CallTreeBuilder::FindShownNatives(std::span<const StackAmount> amounts) {
  if (!options_.natives) return;
  std::vector<uint64_t> self(frames_.natives().size());
  for (const StackAmount& entry : amounts) {
    if (entry.stack == format::kEmptyStack) continue;
    const format::FrameId frame = profile_.stacks[entry.stack.value].frame;
    if (!frames_.IsPython(frame)) self[frames_.NativesOf(frame).front()] += entry.amount.value;
  }
  const double least = options_.threshold_percent / 100 * static_cast<double>(whole_.value);
  for (size_t i = 0; i < self.size(); ++i)
    native_shown_[i] = self[i] != 0 && static_cast<double>(self[i]) >= least;
}

uint32_t CallTreeBuilder::Root(std::optional<format::ThreadId> thread) {
  const Key key = thread ? Key{Kind::kThread, thread->value} : Key{Kind::kTasks, 0};
  const auto [it, fresh] = root_of_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
  if (fresh) {
    roots_.push_back(it->second);
    nodes_.push_back({.key = key, .parent = it->second});
  }
  return it->second;
}

uint32_t CallTreeBuilder::Child(uint32_t parent, Key key) {
  const auto [it, fresh] =
      children_.try_emplace({parent, key}, static_cast<uint32_t>(nodes_.size()));
  if (fresh) {
    nodes_[parent].children.push_back(it->second);
    nodes_.push_back({.key = key, .parent = parent, .depth = nodes_[parent].depth + 1});
  }
  return it->second;
}

// `node` was entered last. Where it ends a repetition, the node at the end of the
// first round instead.
uint32_t CallTreeBuilder::Folded(uint32_t node) {
  std::array<uint32_t, 2 * kMaxCycle> path;  // innermost first
  size_t length = 0;
  for (uint32_t at = node; length < path.size() && nodes_[at].depth != 0; at = nodes_[at].parent)
    path[length++] = at;
  for (size_t round = 1; 2 * round <= length; ++round) {
    size_t same = 0;
    while (same < round && nodes_[path[same]].key == nodes_[path[same + round]].key) ++same;
    if (same < round) continue;
    nodes_[path[2 * round - 1]].recursive = true;
    return path[round];
  }
  return node;
}

uint32_t CallTreeBuilder::Enter(uint32_t node, Key key) {
  if (nodes_[node].depth >= kMaxDepth) return node;
  return Folded(Child(node, key));
}

uint32_t CallTreeBuilder::Step(uint32_t node, format::FrameId frame) {
  const bool hidden = nodes_[node].key.kind == Kind::kLibrary;
  if (!frames_.IsPython(frame)) {
    const std::span<const uint32_t> natives = frames_.NativesOf(frame);
    for (auto native = natives.rbegin(); native != natives.rend(); ++native) {
      if (!native_shown_[*native]) continue;
      if (hidden)
        nodes_[node].hidden.insert({true, *native});
      else
        node = Enter(node, {Kind::kNative, *native});
    }
    return node;
  }
  const FrameTable::Spot& spot = frames_.spots()[frames_.SpotOf(frame)];
  if (frames_.InScope(spot)) return Enter(node, {Kind::kFunction, spot.function});
  if (!hidden) node = Enter(node, {Kind::kLibrary, spot.function});
  if (nodes_[node].key.kind == Kind::kLibrary) nodes_[node].hidden.insert({false, spot.function});
  return node;
}

void CallTreeBuilder::Place(const StackAmount& entry) {
  const uint32_t root = Root(entry.thread);
  std::vector<format::StackId> open;
  format::StackId stack = entry.stack;
  for (; stack != format::kEmptyStack && known_[stack.value].root != root;
       stack = profile_.stacks[stack.value].parent)
    open.push_back(stack);
  uint32_t node = stack == format::kEmptyStack ? root : known_[stack.value].node;
  for (auto it = open.rbegin(); it != open.rend(); ++it) {
    node = Step(node, profile_.stacks[it->value].frame);
    known_[it->value] = {root, node};
  }
  nodes_[node].self.Add(entry.amount);
}

void CallTreeBuilder::SumTotals() {
  for (Node& node : nodes_) node.total = node.self;
  // A child has a higher index than its parent.
  for (size_t i = nodes_.size(); i-- > 0;)
    if (nodes_[i].parent != i) nodes_[nodes_[i].parent].total.Add(nodes_[i].total);
}

bool CallTreeBuilder::Precedes(const Node& a, const Node& b) const {
  if (a.total.value != b.total.value) return a.total.value > b.total.value;
  return a.key < b.key;  // ids are in the order of the capture
}

void CallTreeBuilder::Describe(const Node& node, const std::vector<const ThreadStats*>& threads,
                               CallNode& copy) const {
  copy.kind = node.key.kind;
  copy.recursive = node.recursive;
  if (node.key.kind == Kind::kTasks) {
    copy.name = "tasks";
  } else if (node.key.kind == Kind::kThread) {
    const ThreadStats& thread = *threads[node.key.id];
    copy.name = thread.name;
    copy.pid = thread.pid;
    copy.tid = thread.tid;
    copy.main = thread.main;
  } else if (node.key.kind == Kind::kNative) {
    copy.name = frames_.natives()[node.key.id].name;
    copy.path = frames_.natives()[node.key.id].module;
  } else {
    const FrameTable::Function& function = frames_.functions()[node.key.id];
    copy.name = function.name;
    copy.path = frames_.files()[function.file].path;
    copy.line = function.first_line;
  }
  copy.functions = node.hidden.size();
  for (const auto& [native, index] : node.hidden) {
    const std::string package =
        PackageName(native ? frames_.natives()[index].module
                           : frames_.files()[frames_.functions()[index].file].path);
    if (std::find(copy.packages.begin(), copy.packages.end(), package) == copy.packages.end())
      copy.packages.push_back(package);
  }
}

uint32_t CallTreeBuilder::Copy(CallTree& tree, const Node& node,
                               const std::vector<const ThreadStats*>& threads) const {
  const uint32_t index = static_cast<uint32_t>(tree.nodes.size());
  tree.nodes.emplace_back();
  tree.nodes.back().self = node.self;
  tree.nodes.back().total = node.total;
  Describe(node, threads, tree.nodes.back());
  return index;
}

// The copies of those that are worth it, most first, and one node for the rest.
// Adds to `open` each copy with what it was made of.
std::vector<uint32_t> CallTreeBuilder::CopyChildren(
    CallTree& tree, const std::vector<uint32_t>& from,
    const std::vector<const ThreadStats*>& threads,
    std::vector<std::pair<uint32_t, uint32_t>>& open) const {
  std::vector<uint32_t> worth, copies;
  CallNode rest;
  rest.kind = Kind::kRest;
  for (const uint32_t i : from) {
    const CallAmount& total = nodes_[i].total;
    if (tree.IsWorth(total.value)) {
      worth.push_back(i);
    } else if (total.value != 0 || total.samples != 0) {
      rest.total.Add(total);
      ++rest.functions;
    }
  }
  rest.self = rest.total;
  std::sort(worth.begin(), worth.end(),
            [&](uint32_t a, uint32_t b) { return Precedes(nodes_[a], nodes_[b]); });
  for (const uint32_t i : worth) {
    copies.push_back(Copy(tree, nodes_[i], threads));
    open.emplace_back(copies.back(), i);
  }
  if (rest.functions != 0) {
    copies.push_back(static_cast<uint32_t>(tree.nodes.size()));
    tree.nodes.push_back(std::move(rest));
  }
  return copies;
}

CallTree CallTreeBuilder::Build(std::span<const StackAmount> amounts,
                                const std::vector<const ThreadStats*>& threads) {
  for (const StackAmount& entry : amounts) whole_.Add(entry.amount);
  FindShownNatives(amounts);
  for (const StackAmount& entry : amounts) Place(entry);
  SumTotals();
  CallTree tree;
  tree.metric = options_.metric;
  tree.threshold_percent = options_.threshold_percent;
  tree.total = whole_;
  std::vector<std::pair<uint32_t, uint32_t>> open;
  tree.roots = CopyChildren(tree, roots_, threads, open);
  while (!open.empty()) {
    const auto [copy, node] = open.back();
    open.pop_back();
    std::vector<uint32_t> children = CopyChildren(tree, nodes_[node].children, threads, open);
    tree.nodes[copy].children = std::move(children);
  }
  return tree;
}

}  // namespace pyrometer::analyze
