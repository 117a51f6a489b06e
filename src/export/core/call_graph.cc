// SPDX-License-Identifier: Apache-2.0
#include "export/core/call_graph.h"

#include <algorithm>
#include <tuple>

#include "base/grouped_rows.h"
#include "base/pair_index.h"
#include "export/core/stack_sums.h"

namespace pyrometer::export_ {

// Goes through the tree of stacks, and knows what is on the stack at each node.
class CallGraph::Walk {
 public:
  Walk(const Exchange& from, Callers callers, CallGraph& graph)
      : from_(from),
        callers_(callers),
        graph_(graph),
        self_(from.nodes().size()),
        functions_on_stack_(from.functions().size()),
        frames_on_stack_(from.frames().size()) {
    StackSums sums(from);
    sums.ForEach([&](uint32_t node, std::span<const StackSums::Row> rows) {
      for (const StackSums::Row& row : rows) self_[node].Add(row.values);
    });
    total_ = self_;
    for (size_t i = total_.size() - 1; i > 0; --i) total_[from.nodes()[i].parent].Add(total_[i]);
    graph.all_ = total_[0];
  }

  void Run() {
    const size_t count = from_.nodes().size();
    const base::GroupedRows children(count, count,
                                     [this](size_t i) { return from_.nodes()[i].parent; });
    struct Visit {
      uint32_t node;
      uint32_t call;  // kNone: a root
      bool leave;
    };
    std::vector<Visit> stack{{0, kNone, false}};
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.leave) {
        Leave(visit.node, visit.call);
        stack.pop_back();
        continue;
      }
      visit.leave = true;
      if (visit.node != 0) visit.call = Enter(visit.node);
      for (const uint32_t child : children.Of(visit.node))
        if (child != 0) stack.push_back({child, kNone, false});
    }
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  uint32_t FunctionAt(uint32_t node) const {
    return from_.frames()[from_.nodes()[node].frame].function;
  }

  void Count(uint32_t node, auto& of, uint32_t& on_stack) const {
    of.self.Add(self_[node]);
    if (on_stack++ == 0) of.total.Add(total_[node]);
  }
  // The number of the call, if it is one.
  uint32_t Enter(uint32_t node) {
    const uint32_t callee = FunctionAt(node);
    Count(node, graph_.functions_[callee], functions_on_stack_[callee]);
    const uint32_t frame = from_.nodes()[node].frame;
    Count(node, graph_.frames_[frame], frames_on_stack_[frame]);
    const uint32_t parent = from_.nodes()[node].parent;
    if (parent == 0) return kNone;
    const uint32_t caller =
        callers_ == Callers::kLines ? from_.nodes()[parent].frame : FunctionAt(parent);
    const uint32_t number = numbers_.Number(caller, callee);
    if (number == graph_.calls_.size()) {
      graph_.calls_.push_back({caller, callee});
      calls_on_stack_.push_back(0);
    }
    Count(node, graph_.calls_[number], calls_on_stack_[number]);
    return number;
  }
  void Leave(uint32_t node, uint32_t call) {
    if (node != 0) {
      --functions_on_stack_[FunctionAt(node)];
      --frames_on_stack_[from_.nodes()[node].frame];
    }
    if (call != kNone) --calls_on_stack_[call];
  }

  const Exchange& from_;
  const Callers callers_;
  CallGraph& graph_;
  std::vector<MetricValues> self_, total_;                      // by node
  std::vector<uint32_t> functions_on_stack_, frames_on_stack_;  // how often each is
  base::PairIndex numbers_;                                     // of calls, by caller and callee
  std::vector<uint32_t> calls_on_stack_;                        // by number
};

CallGraph::CallGraph(const Exchange& from, Callers callers)
    : functions_(from.functions().size()), frames_(from.frames().size()) {
  Walk(from, callers, *this).Run();
  std::ranges::sort(calls_, {},
                    [](const Call& call) { return std::tuple(call.caller, call.callee); });
}

}  // namespace pyrometer::export_
