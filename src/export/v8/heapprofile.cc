// SPDX-License-Identifier: Apache-2.0
#include "export/v8/heapprofile.h"

#include <vector>

#include "base/grouped_rows.h"
#include "export/core/label_tree.h"
#include "export/stream/json_stream.h"
#include "export/v8/v8_frame.h"

namespace pyrometer::export_ {

void WriteHeapProfile(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  const LabelTree tree(from,
                       {.metric = options.metric.value_or(Metric::kLiveAtPeak),
                        .functions = true,
                        .threads = options.threads},
                       LabelTree::Functions::kApart);
  const std::vector<LabelTree::Node>& nodes = tree.nodes();
  const base::GroupedRows children(nodes.size(), nodes.size(),
                                   [&](size_t i) { return nodes[i].parent; });
  JsonStream json(out);
  json.Object().Key("head");
  // What is left to write: a node, or the end of one.
  constexpr uint32_t kEnd = 0xffffffff;
  std::vector<uint32_t> left{0};
  while (!left.empty()) {
    const uint32_t node = left.back();
    left.pop_back();
    if (node == kEnd) {
      json.End().End();
      continue;
    }
    json.Object();
    if (node == 0) {
      WriteV8Root(json);
    } else {
      WriteV8Frame(from, tree, nodes[node].label, json);
    }
    json.Member("selfSize", nodes[node].self).Member("id", node + 1).Key("children").Array();
    left.push_back(kEnd);
    for (const uint32_t child : children.Of(node))
      if (child != 0) left.push_back(child);
  }
  json.Key("samples").Array();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].self == 0) continue;
    json.Object().Member("size", nodes[i].self).Member("nodeId", i + 1);
    json.Member("ordinal", i + 1).End();
  }
  json.End().End();
}

}  // namespace pyrometer::export_
