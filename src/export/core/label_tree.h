// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/pair_index.h"
#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// The stacks of a profile as a tree of labels with one metric, for formats that show
// just that: lines or functions, if wanted below their threads.
//
// `from` must outlive it. Thread-safety: none; one owner.
class LabelTree {
 public:
  // Node 0 is the root; parents come before their children.
  struct Node {
    uint32_t parent = 0;
    uint32_t label = 0;
    uint64_t self = 0;
    uint64_t total = 0;    // with all below it
    uint64_t samples = 0;  // of its own; 0 for memory
  };

  // What reads the same is one: native frames know more than a label says, and two
  // functions can have one name.
  enum class Functions { kByText, kApart };
  LabelTree(const Exchange& from, const ExchangeOptions& options,
            Functions functions = Functions::kByText);

  Metric metric() const { return metric_; }
  const metric::Info& info() const { return from_.InfoOf(metric_); }
  const std::vector<Node>& nodes() const { return nodes_; }
  // The node of a stack of a thread; new ones are empty.
  uint32_t NodeOf(uint32_t node, uint32_t thread);
  // The text of a label, valid UTF-8.
  std::string Text(uint32_t label) const;
  size_t labels() const { return base_labels_ + from_.threads().size(); }
  // The function of a label; that of a thread has none.
  const Exchange::Function* FunctionOf(uint32_t label) const;
  // Of a line; else 0.
  uint32_t LineOf(uint32_t label) const;

 private:
  void MergeEqualTexts();
  uint32_t Child(uint32_t parent, uint32_t label);

  const Exchange& from_;
  const Metric metric_;
  const bool functions_;
  const size_t base_labels_;  // frames or functions; threads follow
  const bool threads_;
  std::vector<uint32_t> label_of_;  // by frame or function; empty: they are labels
  std::vector<Node> nodes_;
  base::PairIndex children_;      // parent and label
  base::PairIndex known_;         // node of the Exchange, and the root that it is below
  std::vector<uint32_t> places_;  // by number in known_, or by node; 0: not known yet
  struct Step {
    uint32_t number;  // in places_
    uint32_t node;
  };
  std::vector<Step> path_;  // of NodeOf
};

}  // namespace pyrometer::export_
