// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/code/scope.h"
#include "analyze/report/report.h"
#include "export/tables/live_moments.h"
#include "export/tables/metric_values.h"
#include "export/tables/text_table.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// A profile in the terms that the formats of other programs share: functions, frames
// and a tree of stacks. Nothing has an empty name, and no sample an empty stack.
//
// `profile` and `report` must outlive it. Thread-safety: none; one owner.
class Exchange {
 public:
  enum class Kind : uint8_t { kPython, kNative, kSpecial };
  struct Function {
    uint32_t name = 0;  // a text
    uint32_t file = 0;  // a text: the source of a Python function, else the module or ""
    uint32_t first_line = 0;
    Kind kind = Kind::kPython;
  };
  struct Frame {
    uint32_t function = 0;
    uint32_t file = 0;  // a text: as far as known, the source; else as of the function
    uint32_t line = 0;  // 0: not known
  };
  // Node 0 is the root, without a frame; parents come before what they call.
  struct Node {
    uint32_t parent = 0;
    uint32_t frame = 0;
  };

  // `report` is that of `profile`, made with `scope`.
  Exchange(const profile::Profile& profile, const analyze::Report& report,
           const analyze::Scope& scope);

  const profile::Profile& profile() const { return profile_; }
  const analyze::Report& report() const { return report_; }
  // Made when it is first asked for: what is about time can do without.
  const LiveMoments& moments() const {
    if (!moments_) moments_.emplace(profile_, report_);
    return *moments_;
  }
  // The threads of the profile, in its order.
  const std::vector<const analyze::ThreadStats*>& threads() const { return threads_; }

  TextTable& texts() { return texts_; }
  const std::string& Text(uint32_t number) const { return texts_[number]; }

  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  // The node of a stack of the capture; never the root.
  uint32_t NodeOf(format::StackId stack) const { return node_of_[stack.value]; }
  const Function& FunctionOf(const Frame& frame) const { return functions_[frame.function]; }
  // The frames of a node, innermost first.
  template <class Visit>
  void ForPath(uint32_t node, Visit visit) const {
    for (; node != 0; node = nodes_[node].parent) visit(nodes_[node].frame);
  }

  const std::string& Name(uint32_t function) const { return Text(functions_[function].name); }
  // The name of a function with where it is: `name (file)` or `name [module]`.
  std::string FunctionLabel(uint32_t function) const;
  // The same with the line of a Python frame: `name (file:line)`.
  std::string FrameLabel(uint32_t frame) const;

  // "MainThread (100/104)": name, process and thread.
  std::string ThreadLabel(uint32_t thread) const;
  std::string ProcessName(uint32_t process) const;

  // Those that were recorded.
  std::vector<Metric> Metrics() const;
  const metric::Info& InfoOf(Metric metric) const { return profile_.metrics[metric]; }
  // What is shown where only one can be and none was asked for.
  Metric DefaultMetric() const;
  bool has_time() const;
  bool has_declared() const;
  bool has_memory() const { return report_.merged.memory.recorded; }

 private:
  void AddFrames(const analyze::Scope& scope);

  const profile::Profile& profile_;
  const analyze::Report& report_;
  TextTable texts_;
  mutable std::optional<LiveMoments> moments_;
  const std::vector<const analyze::ThreadStats*> threads_;
  std::vector<Function> functions_;
  std::vector<Frame> frames_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> node_of_;  // by StackId
};

}  // namespace pyrometer::export_
