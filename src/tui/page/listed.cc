// SPDX-License-Identifier: Apache-2.0
#include "tui/page/listed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/views/hot_lines.h"
#include "tui/text/number.h"

namespace pyrometer::tui {

using metric::Metric;

using analyze::FileStats;
using analyze::FunctionStats;
using analyze::LeakStats;
using analyze::LineRef;

namespace {

constexpr double kWorthPercent = 0.5;
constexpr size_t kLeastLines = 3;
// One sample says that a function was there, not how much it took.
constexpr uint64_t kLeastSamples = 2;

bool IsWorth(const Page& page, const FunctionStats& function, double percent) {
  if (page.listing().restricted()) return function.self.samples() != 0;
  return function.self.samples() >= kLeastSamples && page.IsWorth(function.self, percent);
}

}  // namespace

std::vector<LineRef> ListedLines(const Page& page, Metric metric) {
  std::vector<LineRef> rows;
  for (const LineRef& ref : RankLines(page.view(), metric))
    if (page.listing().Has(page.view().files[ref.file].path, page.view().Line(ref).function))
      rows.push_back(ref);
  return rows;
}

size_t WorthCount(const Page& page, Metric metric, const std::vector<LineRef>& ranked,
                  size_t most) {
  if (page.listing().max_lines) return std::min(ranked.size(), *page.listing().max_lines);
  const double least =
      page.listing().threshold_percent / 100 * static_cast<double>(WholeOf(metric, page.view()));
  most = std::min(ranked.size(), most);
  size_t worth = 0;
  while (worth < most &&
         static_cast<double>(ScopedValue(metric, page.view().Line(ranked[worth]))) >= least)
    ++worth;
  return std::max(worth, std::min(most, kLeastLines));
}

std::vector<FunctionRow> ListedFunctions(const Page& page) {
  std::vector<FunctionRow> rows;
  const Listing& listing = page.listing();
  const double percent = std::min(kWorthPercent, listing.threshold_percent);
  for (const FileStats& file : page.view().files) {
    if (!listing.HasFile(file.path)) continue;
    for (const FunctionStats& function : file.functions) {
      if (!listing.HasFunction(function.name)) continue;
      if (IsWorth(page, function, percent) || page.IsWorth(function.memory.self(), percent))
        rows.push_back({&file, &function});
    }
  }
  // Files and functions are in the report's order where they are equal.
  std::stable_sort(rows.begin(), rows.end(), [&](const FunctionRow& a, const FunctionRow& b) {
    const auto value = [&](const FunctionRow& row) {
      return ValueOf(page.metric(), row.function->self, row.function->memory.self());
    };
    return value(a) > value(b);
  });
  return rows;
}

std::vector<const LeakStats*> ListedLeaks(const Page& page) {
  std::vector<const LeakStats*> leaks;
  for (const LeakStats& leak : page.report().leaks)
    if (page.listing().Has(leak.place.path, leak.place.function)) leaks.push_back(&leak);
  return leaks;
}

std::string CodeText(const Page& page, const LineRef& ref) {
  const FileStats& file = page.view().files[ref.file];
  const analyze::LineStats& line = page.view().Line(ref);
  const std::string* text =
      file.source ? page.report().sources[*file.source].Line(line.line) : nullptr;
  if (text == nullptr) return "in " + page.Text(line.function);
  const size_t begin = text->find_first_not_of(" \t");
  return begin == text->npos ? "" : page.Text(std::string_view(*text).substr(begin));
}

std::string TypesText(const Page& page, const LeakStats& leak) {
  std::string text;
  for (const LeakStats::Type& type : leak.types)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", page.Text(type.name),
                        Bytes(type.live.bytes));
  return text;
}

std::string SureText(const LeakStats& leak) {
  return fmt::format("{:.1f}", std::min(99.9, std::floor(leak.probability * 1000) / 10));
}

}  // namespace pyrometer::tui
