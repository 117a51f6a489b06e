// SPDX-License-Identifier: Apache-2.0
#include "export/dot/dot.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "export/core/call_graph.h"
#include "export/stream/single_line.h"
#include "export/tables/process_list.h"
#include "metric/amount_text.h"

namespace pyrometer::export_ {
namespace {

constexpr double kLeastFunction = 0.005;
constexpr double kLeastCall = 0.001;

// Inside a quoted string of dot, where a backslash would begin an escape.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char c : SingleLine(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

class Dot {
 public:
  Dot(const Exchange& from, Metric metric, std::ostream& out)
      : from_(from),
        metric_(metric),
        out_(out),
        graph_(from, CallGraph::Callers::kFunctions),
        all_(static_cast<double>(graph_.all()[metric])) {}

  void Write() {
    out_ << "digraph \"" << Quoted(CommandTitle(from_.profile().run.command)) << "\" {\n"
         << "  label=\"" << Quoted(CommandTitle(from_.profile().run.command)) << "\\n"
         << from_.InfoOf(metric_).name << ": "
         << metric::AmountText(from_.InfoOf(metric_), static_cast<double>(graph_.all()[metric_]))
         << "\";\n"
         << "  labelloc=t; fontname=\"sans-serif\";\n"
         << "  node [shape=box, style=filled, fontname=\"sans-serif\"];\n"
         << "  edge [fontname=\"sans-serif\"];\n";
    size_t left_out = 0;
    for (uint32_t i = 0; i < from_.functions().size(); ++i) {
      const uint64_t total = graph_.functions()[i].total[metric_];
      if (total == 0) continue;
      if (Shown(i)) {
        WriteFunction(i);
      } else {
        ++left_out;
      }
    }
    for (const CallGraph::Call& call : graph_.calls())
      if (Shown(call.caller) && Shown(call.callee)) WriteCall(call);
    if (left_out != 0)
      out_ << "  rest [shape=plaintext, style=\"\", label=\"" << left_out
           << " functions with less than " << kLeastFunction * 100 << " % are left out\"];\n";
    out_ << "}\n";
  }

 private:
  double Share(uint64_t value) const { return all_ == 0 ? 0 : static_cast<double>(value) / all_; }
  std::string ShareText(uint64_t value) const {
    return metric::ShareText(static_cast<double>(value), all_);
  }
  bool Shown(uint32_t function) const {
    const uint64_t total = graph_.functions()[function].total[metric_];
    return total != 0 && Share(total) >= kLeastFunction;
  }

  void WriteFunction(uint32_t function) {
    const Exchange::Function& its = from_.functions()[function];
    const uint64_t self = graph_.functions()[function].self[metric_];
    const uint64_t total = graph_.functions()[function].total[metric_];
    std::string place = Quoted(from_.Text(its.file));
    if (its.first_line != 0) place += fmt::format(":{}", its.first_line);
    // Redder for more of its own.
    const double saturation = std::sqrt(Share(self)) * 0.7;
    out_ << fmt::format(
        "  f{} [label=\"{}\\n{}\\ntotal {} ({})\\nself {} ({})\", "
        "fillcolor=\"0.05 {:.3f} 1.0\", fontsize={}];\n",
        function, Quoted(from_.Text(its.name)), place,
        metric::AmountText(from_.InfoOf(metric_), static_cast<double>(total)), ShareText(total),
        metric::AmountText(from_.InfoOf(metric_), static_cast<double>(self)), ShareText(self),
        saturation, 10 + std::lround(14 * std::sqrt(Share(self))));
  }

  void WriteCall(const CallGraph::Call& call) {
    const double share = Share(call.total[metric_]);
    if (share < kLeastCall) return;
    out_ << fmt::format("  f{} -> f{} [label=\"{}\", penwidth={:.2f}];\n", call.caller, call.callee,
                        ShareText(call.total[metric_]), 0.5 + 4 * share);
  }

  const Exchange& from_;
  const Metric metric_;
  std::ostream& out_;
  const CallGraph graph_;
  const double all_;
};

}  // namespace

void WriteDot(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  Dot(from, options.metric.value_or(from.DefaultMetric()), out).Write();
}

}  // namespace pyrometer::export_
