// SPDX-License-Identifier: Apache-2.0
#include "export/callgrind/callgrind.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/grouped_rows.h"
#include "export/core/call_graph.h"
#include "export/stream/single_line.h"
#include "export/tables/process_list.h"

namespace pyrometer::export_ {
namespace {

constexpr const char kUnknown[] = "???";  // as valgrind calls it

class Callgrind {
 public:
  Callgrind(const Exchange& from, std::ostream& out)
      : from_(from),
        out_(out),
        metrics_(from.Metrics()),
        graph_(from, CallGraph::Callers::kLines) {}

  void Write() {
    WriteHeader();
    const size_t count = from_.functions().size();
    const base::GroupedRows frames(from_.frames().size(), count,
                                   [this](size_t i) { return from_.frames()[i].function; });
    const base::GroupedRows calls(graph_.calls().size(), count, [this](size_t i) {
      return from_.frames()[graph_.calls()[i].caller].function;
    });
    for (uint32_t function = 0; function < count; ++function) {
      if (!HasCost(graph_.functions()[function].total)) continue;
      out_ << '\n' << Reference("fl=", function, true) << Reference("fn=", function, false);
      for (const uint32_t frame : frames.Of(function)) {
        if (!HasCost(graph_.frames()[frame].self)) continue;
        out_ << LineOf(frame) << Costs(graph_.frames()[frame].self);
      }
      for (const uint32_t call : calls.Of(function)) WriteCall(graph_.calls()[call]);
    }
  }

 private:
  void WriteHeader() {
    out_ << "# callgrind format\nversion: 1\ncreator: pyrometer "
         << SingleLine(from_.profile().run.pyrometer_version)
         << "\ncmd: " << SingleLine(CommandTitle(from_.profile().run.command))
         << "\npositions: line\nevents:";
    for (const Metric metric : metrics_) out_ << ' ' << from_.InfoOf(metric).name;
    out_ << "\nsummary:" << Costs(graph_.all());
    named_files_.resize(from_.functions().size());
    named_functions_.resize(from_.functions().size());
  }

  bool HasCost(const MetricValues& values) const {
    return std::ranges::any_of(metrics_, [&](Metric metric) { return values[metric] != 0; });
  }

  std::string Costs(const MetricValues& values) const {
    std::string text;
    for (const Metric metric : metrics_) text += ' ' + std::to_string(values[metric]);
    return text += '\n';
  }

  // A name in full the first time, and then its number: which also keeps names that
  // look like a number apart from one.
  std::string Reference(const char* key, uint32_t function, bool file) {
    std::vector<bool>& named = file ? named_files_ : named_functions_;
    const Exchange::Function& its = from_.functions()[function];
    std::string text = key + ('(' + std::to_string(function + 1)) + ')';
    if (!named[function]) {
      const std::string name = SingleLine(from_.Text(file ? its.file : its.name));
      text += ' ' + (name.empty() ? kUnknown : name);
      named[function] = true;
    }
    return text += '\n';
  }

  // A native function's lines are in another file than its module.
  uint32_t LineOf(uint32_t frame) const {
    const Exchange::Frame& its = from_.frames()[frame];
    return from_.FunctionOf(its).kind == Exchange::Kind::kPython ? its.line : 0;
  }

  void WriteCall(const CallGraph::Call& call) {
    if (!HasCost(call.total)) return;
    out_ << Reference("cfi=", call.callee, true) << Reference("cfn=", call.callee, false)
         << "calls=" << std::max<uint64_t>(1, call.total[Metric::kSamples]) << ' '
         << from_.functions()[call.callee].first_line << '\n'
         << LineOf(call.caller) << Costs(call.total);
  }

  const Exchange& from_;
  std::ostream& out_;
  const std::vector<Metric> metrics_;
  const CallGraph graph_;
  std::vector<bool> named_files_, named_functions_;  // by function
};

}  // namespace

void WriteCallgrind(const Exchange& from, std::ostream& out) { Callgrind(from, out).Write(); }

}  // namespace pyrometer::export_
