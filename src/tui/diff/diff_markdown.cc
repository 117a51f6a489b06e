// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "analyze/diff/change_text.h"
#include "metric/amount_text.h"
#include "tui/diff/diff_words.h"
#include "tui/diff/print_diff.h"
#include "tui/text/markdown_text.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using analyze::Change;
using analyze::MetricDiff;
using metric::Metric;

constexpr size_t kNameWidth = 90, kPlaceWidth = 80, kCommandWidth = 200;

std::string Text(std::string_view text) { return MarkdownText(Printable(text, true)); }

std::string Code(std::string_view text, size_t width) {
  const std::string printable = Printable(text, true);
  const size_t begin = std::min(printable.find_first_not_of(' '), printable.size());
  return MarkdownCode(CutRight(std::string_view(printable).substr(begin), width, true));
}

std::string CommandOf(const analyze::DiffSide& side) {
  std::string command;
  for (const std::string& word : side.command) command += (command.empty() ? "" : " ") + word;
  return Code(command, kCommandWidth);
}

void PrintRow(std::ostream& out, const metric::Info& metric, const Change& change,
              const std::string& what, const std::string& place) {
  const auto percent = change.percent();
  out << fmt::format("| {} | {} | {} | {}{}{} | {} | {} to {} | {} | {} |\n",
                     !change.significant     ? ""
                     : change.difference > 0 ? "▲"
                                             : "▼",
                     metric::AmountText(metric, change.base),
                     metric::AmountText(metric, change.now), change.significant ? "**" : "",
                     analyze::DifferenceText(metric, change.difference),
                     change.significant ? "**" : "", percent ? analyze::PercentText(*percent) : "",
                     analyze::DifferenceText(metric, change.low),
                     analyze::DifferenceText(metric, change.high), what, place);
}

void PrintMetric(std::ostream& out, const MetricDiff& metric, size_t rows) {
  if (metric.total.base == 0 && metric.total.now == 0) return;
  out << "\n#### " << analyze::MetricText(metric.info) << "\n\n"
      << "| | base | new | change | % | 95 % interval | what | where |\n"
      << "|---|--:|--:|--:|--:|---|---|---|\n";
  PrintRow(out, metric.info, metric.total, "the whole program", "");
  for (const DiffTable& table : TablesOf(metric, rows)) {
    out << "| | | | | | | *" << table.title << "* | |\n";
    for (const analyze::DiffRow* row : table.rows) {
      const std::string place = PlaceOf(*row);
      PrintRow(out, metric.info, row->change, Code(NameOf(*row), kNameWidth),
               place.empty() ? "" : Code(place, kPlaceWidth));
    }
    if (table.more != 0) out << "| | | | | | | and " << table.more << " more | |\n";
  }
}

}  // namespace

void PrintDiffMarkdown(std::ostream& out, const analyze::Diff& diff,
                       std::span<const analyze::LimitResult> limits, size_t rows) {
  out << "### pyrometer diff\n\n"
      << "base: " << CommandOf(diff.base) << ", " << diff.base.runs << " runs\\\n"
      << "new: " << CommandOf(diff.now) << ", " << diff.now.runs << " runs\n\n";
  for (const std::string& finding : Findings(diff)) out << "**" << Text(finding) << "**\n\n";
  for (const analyze::LimitResult& result : limits)
    out << (result.exceeded ? "- ❌ " : "- ✅ ") << Text(LimitText(diff, result)) << "\n";
  for (const MetricDiff& metric : diff.metrics) PrintMetric(out, metric, rows);
  out << "\n<details><summary>How it was compared</summary>\n\n";
  for (const std::string& remark : Remarks(diff)) out << "- " << Text(remark) << '\n';
  out << "\n</details>\n";
}

}  // namespace pyrometer::tui
