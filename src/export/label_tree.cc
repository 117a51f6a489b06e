// SPDX-License-Identifier: Apache-2.0
#include "export/label_tree.h"

#include "export/pair_index.h"
#include "export/stack_sums.h"

namespace pyrometer::export_ {
namespace {

// Finds the node of a LabelTree for a node of the Exchange and a thread; makes it and
// those above it where they are new.
class Places {
 public:
  Places(const Exchange& from, std::vector<LabelTree::Node>& nodes, bool functions)
      : from_(from), nodes_(nodes), functions_(functions) {}

  // `root`: the node of the tree under which all of it is.
  uint32_t Of(uint32_t node, uint32_t root) {
    std::vector<uint32_t>& path = path_;
    path.clear();
    uint32_t at = root;
    for (; node != 0; node = from_.nodes()[node].parent) {
      const uint32_t number = known_.Number(node, root);
      if (number < place_.size()) {
        at = place_[number];
        break;
      }
      place_.push_back(0);
      path.push_back(number);
      path.push_back(node);
    }
    while (!path.empty()) {
      const uint32_t frame = from_.nodes()[path.back()].frame;
      path.pop_back();
      at = Child(at, functions_ ? from_.frames()[frame].function : frame);
      place_[path.back()] = at;
      path.pop_back();
    }
    return at;
  }
  uint32_t Child(uint32_t parent, uint32_t label) {
    const uint32_t child = children_.Number(parent, label) + 1;
    if (child == nodes_.size()) nodes_.push_back({parent, label});
    return child;
  }

 private:
  const Exchange& from_;
  std::vector<LabelTree::Node>& nodes_;
  const bool functions_;
  PairIndex known_;              // node of the Exchange, root
  std::vector<uint32_t> place_;  // by number in known_
  PairIndex children_;           // parent, label
  std::vector<uint32_t> path_;
};

}  // namespace

LabelTree::LabelTree(const Exchange& from, const ExchangeOptions& options)
    : from_(from),
      metric_(options.metric.value_or(from.DefaultMetric())),
      functions_(options.functions),
      base_labels_(functions_ ? from.functions().size() : from.frames().size()),
      nodes_(1) {
  Places places(from, nodes_, functions_);
  StackSums sums(from);
  sums.ForEach([&](uint32_t node, std::span<const StackSums::Row> rows) {
    for (const StackSums::Row& row : rows) {
      const uint64_t value = row.values[metric_];
      if (value == 0) continue;
      uint32_t root = 0;
      if (options.threads)
        root =
            places.Child(0, static_cast<uint32_t>(base_labels_ + sums.context(row.context).thread));
      Node& place = nodes_[places.Of(node, root)];
      place.self = SaturatingSum(place.self, value);
      place.samples += row.values[Metric::kSamples];
    }
  });
  for (size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    node.total = SaturatingSum(node.total, node.self);
    if (i != 0) nodes_[node.parent].total = SaturatingSum(nodes_[node.parent].total, node.total);
  }
}

std::string LabelTree::Text(uint32_t label) const {
  if (label >= base_labels_) return from_.ThreadLabel(static_cast<uint32_t>(label - base_labels_));
  return functions_ ? from_.FunctionLabel(label) : from_.FrameLabel(label);
}

const Exchange::Function* LabelTree::FunctionOf(uint32_t label) const {
  if (label >= base_labels_) return nullptr;
  return &from_.functions()[functions_ ? label : from_.frames()[label].function];
}

uint32_t LabelTree::LineOf(uint32_t label) const {
  return functions_ || label >= base_labels_ ? 0 : from_.frames()[label].line;
}

}  // namespace pyrometer::export_
