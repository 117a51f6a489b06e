// SPDX-License-Identifier: Apache-2.0
#include "tui/diff/diff_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/diff/change_text.h"
#include "metric/amount_text.h"

namespace pyrometer::tui {
namespace {

using metric::Metric;

using analyze::Change;
using analyze::DiffRow;
using analyze::MetricDiff;

constexpr size_t kMostFindings = 5, kShownWithout = 3, kEnoughPairs = 5;

std::string RunsText(size_t runs) { return runs == 1 ? "one run" : fmt::format("{} runs", runs); }

std::string NewOrGone(const DiffRow& row) {
  if (row.is_outside() || (row.code.base && row.code.now)) return "";
  return row.code.now ? ", new" : ", gone";
}

std::string Finding(const MetricDiff& diff, const std::string& what, const Change& change) {
  return fmt::format("{} has {}", what, ChangeText(diff.info, change));
}

std::string SpeedText(const analyze::SpeedRatio& speed) {
  const bool slower = speed.factor >= 1;
  const auto factor = [&](double value) { return slower ? value : 1 / value; };
  const double low = slower ? speed.low : speed.high, high = slower ? speed.high : speed.low;
  return fmt::format(
      "The machine was {:.3f} times {} for the new runs (95 % interval {:.3f} to {:.3f}): their "
      "CPU time is shown at the speed of the base",
      factor(speed.factor), slower ? "slower" : "faster", factor(low), factor(high));
}

std::string DetectableText(const analyze::Diff& diff, const MetricDiff& metric) {
  const double base = metric.functions.empty() ? 0 : metric.total.base;
  std::string text =
      fmt::format("A change of {} in {} below {}", analyze::MetricText(metric.info),
                  metric.detectable_in, metric::AmountText(metric.info, *metric.detectable));
  if (base > 0) text += fmt::format(" ({:.1f} % of the whole)", 100 * *metric.detectable / base);
  text += " could not be told from chance";
  if (!diff.paired)
    text += ": record both side by side (`pyrometer help diff` says how)";
  else if (diff.base.runs < kEnoughPairs)
    text += ": record more pairs";
  return text;
}

}  // namespace

std::string NameOf(const DiffRow& row) {
  if (row.is_outside()) return "(outside your code)";
  if (row.path.empty()) return row.code.text.empty() ? row.code.place().function : row.code.text;
  std::string text;
  for (const std::string& function : row.path) text += (text.empty() ? "" : " > ") + function;
  return text;
}

std::string PlaceOf(const DiffRow& row) {
  if (row.is_outside()) return "";
  const analyze::CodeTable::Place& place = row.code.place();
  return fmt::format("{}:{}{}", place.path, place.line == 0 ? "-" : std::to_string(place.line),
                     NewOrGone(row));
}

std::vector<std::string> Findings(const analyze::Diff& diff) {
  std::vector<std::string> findings;
  size_t more = 0;
  for (const MetricDiff& metric : diff.metrics) {
    if (metric.total.significant)
      findings.push_back(Finding(metric, "The whole program", metric.total));
    for (const DiffRow& row : metric.functions) {
      if (!row.change.significant) continue;
      if (findings.size() >= kMostFindings)
        ++more;
      else
        findings.push_back(Finding(
            metric,
            fmt::format("{} ({})", row.is_outside() ? NameOf(row) : row.code.place().function,
                        row.is_outside() ? "libraries and the interpreter" : PlaceOf(row)),
            row.change));
    }
  }
  if (more != 0) findings.push_back(fmt::format("{} more have changed, too", more));
  if (findings.empty()) findings.emplace_back("Nothing has changed by more than chance");
  return findings;
}

std::vector<std::string> Remarks(const analyze::Diff& diff) {
  std::vector<std::string> remarks;
  if (diff.speed && std::abs(diff.speed->factor - 1) >= 0.0005)
    remarks.push_back(SpeedText(*diff.speed));
  if (diff.paired)
    remarks.emplace_back(
        "The runs were recorded side by side: CPU time is compared pair by pair, as it is");
  else if (!diff.speed && diff.Find(Metric::kCpu) != nullptr)
    remarks.emplace_back("CPU time is compared as it is, whatever the speed of the machine");
  for (const MetricDiff& metric : diff.metrics) {
    if (metric.detectable && metric.info.metric == Metric::kCpu)
      remarks.push_back(DetectableText(diff, metric));
    if (!metric.judged)
      remarks.push_back(
          fmt::format("{} is not judged: {}", analyze::MetricText(metric.info), metric.why_not));
  }
  remarks.insert(remarks.end(), diff.notes.begin(), diff.notes.end());
  remarks.push_back(
      fmt::format("Means of {} and {}; at most one comparison in twenty of runs "
                  "that are alike names anything",
                  RunsText(diff.base.runs), RunsText(diff.now.runs)));
  return remarks;
}

bool HasFindings(const MetricDiff& diff) {
  const auto any = [](const std::vector<DiffRow>& rows) {
    return std::ranges::any_of(rows, [](const DiffRow& row) { return row.change.significant; });
  };
  return diff.total.significant || any(diff.functions) || any(diff.lines) || any(diff.paths);
}

std::vector<DiffTable> TablesOf(const MetricDiff& diff, size_t rows) {
  std::vector<DiffTable> tables;
  const auto add = [&](std::string_view title, const std::vector<DiffRow>& list) {
    DiffTable table{title, {}, 0};
    for (const DiffRow& row : list) {
      if (!row.change.significant) break;  // they come first
      if (table.rows.size() < rows)
        table.rows.push_back(&row);
      else
        ++table.more;
    }
    if (!table.rows.empty()) tables.push_back(std::move(table));
  };
  add("functions", diff.functions);
  add("lines", diff.lines);
  add("call paths", diff.paths);
  if (!tables.empty() || diff.functions.empty()) return tables;
  DiffTable table{"most different, maybe by chance", {}, 0};
  for (const DiffRow& row : diff.functions)
    if (table.rows.size() < std::min(rows, kShownWithout)) table.rows.push_back(&row);
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace pyrometer::tui
