// SPDX-License-Identifier: Apache-2.0
#include "import/gprof2dot/gprof2dot_json.h"

#include <algorithm>
#include <vector>

#include "import/core/count.h"
#include "import/core/module_path.h"
#include "import/core/path_tree.h"
#include "import/json/json_sketch.h"
#include "import/json/json_value.h"

namespace pyrometer::import_ {
namespace {

// What the costs of an event are, in the order in which it has them.
struct Cost {
  double ns = 0;  // of one unit; 0: not a time
  bool bytes = false;
};

Cost CostOf(std::string_view unit) {
  const double ns = unit == "s" || unit == "seconds"         ? 1e9
                    : unit == "ms" || unit == "milliseconds" ? 1e6
                    : unit == "us" || unit == "microseconds" ? 1e3
                    : unit == "ns" || unit == "nanoseconds"  ? 1
                                                             : 0;
  return {ns, unit == "bytes" || unit == "B"};
}

class Gprof2dot {
 public:
  Gprof2dot(JsonReader& json, const ReadOptions& options, ProfileMaker& maker)
      : json_(json), options_(options), maker_(maker), tree_(maker) {}

  void Read() {
    json_.ForMembers([&](std::string_view key) {
      if (key == "costs") {
        json_.ForElements([&] { ReadCost(); });
      } else if (key == "functions") {
        json_.ForElements([&] { ReadFunction(); });
      } else if (key == "events") {
        json_.ForElements([&] { ReadEvent(); });
      }
    });
  }

  void Write() {
    const std::vector<format::StackId> stacks = tree_.Stacks(functions_);
    costs_.resize(std::max(costs_.size(), most_costs_));
    has_unit_ =
        std::ranges::any_of(costs_, [](const Cost& cost) { return cost.ns > 0 || cost.bytes; });
    for (const Value& value : values_) Add(stacks[value.node], value);
    if (has_bytes_) maker_.AddNote("bytes are taken for memory in use at the peak");
    if (has_counts_) NoteCount(maker_, options_.count);
  }

 private:
  struct Value {
    uint32_t node;
    uint32_t cost;  // which
    double value;
  };

  void ReadCost() {
    std::string unit;
    json_.ForMembers([&](std::string_view key) {
      if (key == "unit") unit = ReadText(json_);
    });
    if (maker_.full()) return;
    costs_.push_back(CostOf(unit));
    maker_.Charge(sizeof(Cost));
  }

  void ReadFunction() {
    name_.clear();
    module_.clear();
    json_.ForMembers([&](std::string_view key) {
      if (key == "name")
        name_ = json_.Text().value_or("");
      else if (key == "module")
        module_ = json_.Text().value_or("");
    });
    if (maker_.full()) return;
    FrameText text{.name = name_, .file = module_};
    if (IsModulePath(module_)) std::swap(text.file, text.module);
    functions_.push_back(maker_.Frame(text));
    maker_.Charge(sizeof functions_[0]);
  }

  void ReadEvent() {
    chain_.clear();
    const size_t before = values_.size();
    uint32_t cost = 0;
    json_.ForMembers([&](std::string_view key) {
      if (key == "callchain") {
        json_.ForElements([&] { AddCall(static_cast<uint32_t>(ReadWhole(json_).value_or(-1))); });
      } else if (key == "cost") {
        json_.ForElements([&] { AddValue(cost++, ReadReal(json_).value_or(-1)); });
      }
    });
    most_costs_ = std::max<size_t>(most_costs_, cost);
    // The innermost is the first.
    uint32_t node = PathTree::kRoot;
    for (size_t i = chain_.size(); i-- > 0 && !maker_.full();) node = tree_.Child(node, chain_[i]);
    for (size_t i = before; i < values_.size(); ++i) values_[i].node = node;
  }

  void AddCall(uint32_t function) {
    constexpr size_t kMaxChain = 1'000'000;
    if (chain_.size() < kMaxChain)
      chain_.push_back(function);
    else
      maker_.AddLoss("calls in chains of more than a million");
  }

  void AddValue(uint32_t cost, double value) {
    if (maker_.full()) return;
    values_.push_back({0, cost, value});
    maker_.Charge(sizeof(Value));
  }

  void Add(format::StackId stack, const Value& value) {
    const Cost& cost = costs_[value.cost];
    const auto amount = Amount(value.value, cost.ns > 0 ? cost.ns : 1);
    if (!amount) {
      maker_.AddLoss("values that cannot be");
    } else if (cost.ns > 0) {
      if (*amount > 0) maker_.AddTime(maker_.OnlyThread(), stack, {.weight_ns = *amount});
    } else if (cost.bytes) {
      has_bytes_ = true;
      maker_.AddMemory(maker_.OnlyThread(), stack, {.at_peak = MemoryValue::Amount{*amount, 0}});
    } else if (has_unit_) {
      maker_.AddNote("costs without a unit are left out: others have one");
    } else {
      has_counts_ = true;
      AddCount(maker_, maker_.OnlyThread(), stack, *amount, options_.count);
    }
  }

  JsonReader& json_;
  const ReadOptions& options_;
  ProfileMaker& maker_;
  PathTree tree_;
  std::vector<Cost> costs_;
  std::vector<format::FrameId> functions_;
  std::vector<Value> values_;
  std::vector<uint32_t> chain_;
  std::string name_, module_;
  size_t most_costs_ = 0;
  bool has_unit_ = false, has_bytes_ = false, has_counts_ = false;
};

}  // namespace

bool RecognisesGprof2dot(std::string_view head, bool) {
  const JsonSketch sketch = SketchJson(head);
  if (sketch.array || !sketch.Has("version")) return false;
  return (sketch.Has("functions") || sketch.Has("events")) &&
         (head.find("\"callchain\"") != head.npos || sketch.Has("costs"));
}

base::Status ReadGprof2dot(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  JsonReader json(input);
  Gprof2dot file(json, options, maker);
  file.Read();
  if (!maker.full()) file.Write();
  return FinishJson(json, maker);
}

}  // namespace pyrometer::import_
