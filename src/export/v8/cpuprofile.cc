// SPDX-License-Identifier: Apache-2.0
#include "export/v8/cpuprofile.h"

#include <vector>

#include "base/grouped_rows.h"
#include "base/pair_index.h"
#include "export/core/label_tree.h"
#include "export/stream/json_stream.h"
#include "export/tables/rounded_total.h"
#include "export/v8/v8_frame.h"

namespace pyrometer::export_ {
namespace {

constexpr uint64_t kNsPerUs = 1000;

class CpuProfile {
 public:
  CpuProfile(const Exchange& from, Metric metric, std::ostream& out)
      : from_(from),
        json_(out),
        tree_(from, {.metric = metric, .functions = true, .threads = true},
              LabelTree::Functions::kApart) {}

  void Write() {
    AddSamples();
    json_.Object().Key("nodes").Array();
    WriteNodes();
    json_.End();
    uint64_t end_us = 0;
    for (const uint64_t us : lengths_us_) end_us = SaturatingSum(end_us, us);
    json_.Member("startTime", 0).Member("endTime", end_us);
    // A sample lasts until the next one: the root's is where the last one ends.
    json_.Key("samples").Array();
    for (const uint32_t node : samples_) json_.Value(node + 1);
    json_.Value(1).End();
    json_.Key("timeDeltas").Array().Value(0);
    for (const uint64_t us : lengths_us_) json_.Value(us);
    json_.End().End();
  }

 private:
  void AddSamples() {
    const profile::SampleColumns& from = from_.profile().samples;
    const base::GroupedRows by_thread(from.size(), from_.threads().size(),
                                      [&](size_t i) { return from.thread[i].value; });
    RoundedTotal lengths(kNsPerUs);
    for (uint32_t thread = 0; thread < from_.threads().size(); ++thread) {
      for (const uint32_t i : by_thread.Of(thread)) {
        if (!metric::Contains(tree_.metric(), from.activity[i]) || from.weight_ns[i] == 0) continue;
        const uint32_t stack = from_.NodeOf(from.stack[i]);
        const uint32_t node = tree_.NodeOf(stack, thread);
        AddTicks(stack, thread, from.count[i]);
        const uint64_t us = lengths.Next(from.weight_ns[i]);
        if (!samples_.empty() && samples_.back() == node) {
          lengths_us_.back() = SaturatingSum(lengths_us_.back(), us);
        } else {
          samples_.push_back(node);
          lengths_us_.push_back(us);
        }
      }
    }
  }

  // The innermost line of Python: native code that it called counts for it.
  void AddTicks(uint32_t stack, uint32_t thread, uint32_t count) {
    const auto frame_of = [this](uint32_t at) { return from_.frames()[from_.nodes()[at].frame]; };
    while (stack != 0 && from_.FunctionOf(frame_of(stack)).kind != Exchange::Kind::kPython)
      stack = from_.nodes()[stack].parent;
    if (stack == 0 || frame_of(stack).line == 0) return;
    const uint32_t node = tree_.NodeOf(stack, thread), line = frame_of(stack).line;
    const uint32_t number = places_.Number(node, line);
    if (number == ticks_.size()) ticks_.push_back({node, line, 0});
    ticks_[number].count += count;
  }

  void WriteNodes() {
    const std::vector<LabelTree::Node>& nodes = tree_.nodes();
    const base::GroupedRows children(nodes.size(), nodes.size(),
                                     [&](size_t i) { return nodes[i].parent; });
    const base::GroupedRows ticks(ticks_.size(), nodes.size(),
                                  [this](size_t i) { return ticks_[i].node; });
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      json_.Object().Member("id", i + 1);
      if (i == 0) {
        WriteV8Root(json_);
      } else {
        WriteV8Frame(from_, tree_, nodes[i].label, json_);
      }
      json_.Member("hitCount", nodes[i].samples).Key("children").Array();
      for (const uint32_t child : children.Of(i))
        if (child != 0) json_.Value(child + 1);
      json_.End().Key("positionTicks").Array();
      for (const uint32_t tick : ticks.Of(i)) {
        json_.Object().Member("line", ticks_[tick].line);
        json_.Member("ticks", ticks_[tick].count).End();
      }
      json_.End().End();
    }
  }

  struct Ticks {
    uint32_t node;
    uint32_t line;
    uint64_t count;
  };

  const Exchange& from_;
  JsonStream json_;
  LabelTree tree_;
  std::vector<uint32_t> samples_;  // nodes
  std::vector<uint64_t> lengths_us_;
  base::PairIndex places_;  // node and line
  std::vector<Ticks> ticks_;
};

}  // namespace

void WriteCpuProfile(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  CpuProfile(from, options.metric.value_or(Metric::kCpu), out).Write();
}

}  // namespace pyrometer::export_
