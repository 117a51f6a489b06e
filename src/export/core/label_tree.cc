// SPDX-License-Identifier: Apache-2.0
#include "export/core/label_tree.h"

#include <unordered_map>

#include "export/core/metric_sums.h"
#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {

LabelTree::LabelTree(const Exchange& from, const ExchangeOptions& options, Functions functions)
    : from_(from),
      metric_(options.metric.value_or(from.DefaultMetric())),
      functions_(options.functions),
      base_labels_(functions_ ? from.functions().size() : from.frames().size()),
      threads_(options.threads),
      nodes_(1) {
  if (functions == Functions::kByText) MergeEqualTexts();
  using Threads = MetricSums::Threads;
  const MetricSums sums(from, metric_, threads_ ? Threads::kApart : Threads::kTogether);
  sums.ForEach([this](uint32_t node, uint32_t thread, const MetricSums::Sum& sum) {
    Node& place = nodes_[NodeOf(node, thread)];
    place.self = SaturatingSum(place.self, sum.value);
    place.samples += sum.samples;
  });
  for (size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    node.total = SaturatingSum(node.total, node.self);
    if (i != 0) nodes_[node.parent].total = SaturatingSum(nodes_[node.parent].total, node.total);
  }
}

void LabelTree::MergeEqualTexts() {
  std::unordered_map<std::string, uint32_t> first;
  for (uint32_t label = 0; label < base_labels_; ++label)
    label_of_.push_back(first.try_emplace(Text(label), label).first->second);
}

uint32_t LabelTree::Child(uint32_t parent, uint32_t label) {
  const uint32_t child = children_.Number(parent, label) + 1;
  if (child == nodes_.size()) nodes_.push_back({parent, label});
  return child;
}

uint32_t LabelTree::NodeOf(uint32_t node, uint32_t thread) {
  uint32_t at = threads_ ? Child(0, static_cast<uint32_t>(base_labels_ + thread)) : 0;
  const uint32_t root = at;
  path_.clear();
  for (; node != 0; node = from_.nodes()[node].parent) {
    // Without threads there is one root, and no need to look for pairs.
    const uint32_t number = threads_ ? known_.Number(node, root) : node;
    if (number >= places_.size()) places_.resize(number + 1);
    if (places_[number] != 0) {
      at = places_[number];
      break;
    }
    path_.push_back({number, node});
  }
  for (; !path_.empty(); path_.pop_back()) {
    const uint32_t frame = from_.nodes()[path_.back().node].frame;
    const uint32_t label = functions_ ? from_.frames()[frame].function : frame;
    at = Child(at, label_of_.empty() ? label : label_of_[label]);
    places_[path_.back().number] = at;
  }
  return at;
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
