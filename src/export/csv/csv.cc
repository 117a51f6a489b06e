// SPDX-License-Identifier: Apache-2.0
#include "export/csv/csv.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "export/core/call_graph.h"
#include "export/stream/single_line.h"

namespace pyrometer::export_ {
namespace {

constexpr std::string_view kFormulaBegins = "=+-@";

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  const std::string line = SingleLine(text);
  if (!line.empty() && kFormulaBegins.find(line.front()) != kFormulaBegins.npos) quoted += '\'';
  for (const char c : line) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted += '"';
}

std::string_view Suffix(metric::Unit unit) {
  switch (unit) {
    case metric::Unit::kCount:
      return "";
    case metric::Unit::kNanoseconds:
      return "_ns";
    case metric::Unit::kBytes:
      break;
  }
  return "_bytes";
}

std::string_view KindName(Exchange::Kind kind) {
  switch (kind) {
    case Exchange::Kind::kPython:
      return "python";
    case Exchange::Kind::kNative:
      return "native";
    case Exchange::Kind::kSpecial:
      break;
  }
  return "special";
}

}  // namespace

void WriteCsv(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  const CallGraph graph(from, CallGraph::Callers::kFunctions);
  const std::vector<CallGraph::Cost>& costs =
      options.functions ? graph.functions() : graph.frames();
  const std::vector<Metric> metrics = from.Metrics();
  out << "kind,file,function,line";
  for (const char* part : {"self_", "total_"})
    for (const Metric metric : metrics)
      out << ',' << part << from.InfoOf(metric).name << Suffix(from.InfoOf(metric).unit);
  out << '\n';
  std::vector<uint32_t> rows(costs.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::ranges::stable_sort(rows, std::greater(),
                           [&](uint32_t row) { return costs[row].self[from.DefaultMetric()]; });
  for (const uint32_t row : rows) {
    const MetricValues& total = costs[row].total;
    if (std::ranges::all_of(metrics, [&](Metric metric) { return total[metric] == 0; })) continue;
    const Exchange::Function& function =
        from.functions()[options.functions ? row : from.frames()[row].function];
    const uint32_t file = options.functions ? function.file : from.frames()[row].file;
    const uint32_t line = options.functions ? function.first_line : from.frames()[row].line;
    out << KindName(function.kind) << ',' << Quoted(from.Text(file)) << ','
        << Quoted(from.Text(function.name)) << ',' << line;
    for (const MetricValues* values : {&costs[row].self, &total})
      for (const Metric metric : metrics) out << ',' << (*values)[metric];
    out << '\n';
  }
}

}  // namespace pyrometer::export_
