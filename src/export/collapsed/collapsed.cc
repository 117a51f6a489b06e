// SPDX-License-Identifier: Apache-2.0
#include "export/collapsed/collapsed.h"

#include <algorithm>
#include <string>
#include <vector>

#include "export/core/label_tree.h"
#include "export/stream/single_line.h"
#include "export/tables/rounded_total.h"

namespace pyrometer::export_ {
namespace {

constexpr uint64_t kNsPerUs = 1000;

std::string Safe(const std::string& label) {
  std::string text = SingleLine(label);
  std::ranges::replace(text, ';', '_');
  // Some readers take such a line for a comment, and others look for JSON.
  if (text.front() == '#' || text.front() == '{') text.front() = '_';
  return text;
}

}  // namespace

void WriteCollapsed(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  const LabelTree tree(from, options);
  std::vector<std::string> labels;
  for (uint32_t label = 0; label < tree.labels(); ++label) labels.push_back(Safe(tree.Text(label)));
  RoundedTotal weights(tree.info().unit == metric::Unit::kNanoseconds ? kNsPerUs : 1);
  std::vector<const std::string*> path;
  std::string line;
  for (const LabelTree::Node& node : tree.nodes()) {
    const uint64_t weight = weights.Next(node.self);
    if (weight == 0) continue;
    path.clear();
    for (const LabelTree::Node* at = &node; at != &tree.nodes()[0]; at = &tree.nodes()[at->parent])
      path.push_back(&labels[at->label]);
    line.clear();
    for (size_t i = path.size(); i-- > 0;) line.append(*path[i]) += i == 0 ? ' ' : ';';
    (line += std::to_string(weight)) += '\n';
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
}

}  // namespace pyrometer::export_
