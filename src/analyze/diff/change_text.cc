// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/change_text.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "metric/amount_text.h"

namespace pyrometer::analyze {
namespace {

// printf with a point in every locale, which this program never sets.
std::string Formatted(const char* format, double value) {
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<size_t>(length)};
}

std::string WhatText(const LimitResult& result) {
  const Limit& limit = result.limit;
  if (limit.what == Limit::What::kTotal) return "the whole program";
  if (!result.row)
    return limit.what == Limit::What::kFunction ? "function " + limit.name
                                                : limit.name + ":" + std::to_string(limit.line);
  const CodeTable::Place& place = result.row->code.place();
  return place.function + " (" + place.path + ":" + std::to_string(place.line) + ")";
}

}  // namespace

std::string DifferenceText(const metric::Info& metric, double difference) {
  return (difference >= 0 ? "+" : "") + metric::AmountText(metric, difference);
}

std::string PercentText(double percent) {
  const double size = std::abs(percent);
  return Formatted(size < 99.95 ? "%+.1f %%" : "%+.0f %%", percent);
}

std::string MetricText(const metric::Info& metric) { return std::string(metric.phrase); }

std::string ChangeText(const metric::Info& metric, const Change& change) {
  std::string text = metric::AmountText(metric, change.now) + " instead of " +
                     metric::AmountText(metric, change.base) + " of " + MetricText(metric) + ": " +
                     DifferenceText(metric, change.difference);
  if (const auto percent = change.percent()) text += " (" + PercentText(*percent) + ")";
  return text + ", 95 % interval " + DifferenceText(metric, change.low) + " to " +
         DifferenceText(metric, change.high);
}

std::string LimitText(const Diff& diff, const LimitResult& result) {
  const MetricDiff* metric = diff.Find(result.limit.metric);
  std::string text = "limit '" + result.limit.text + "' " + result.reason;
  if (metric == nullptr || (!result.row && result.limit.what != Limit::What::kTotal)) return text;
  const Change& change = result.row ? result.row->change : metric->total;
  return text + ": " + WhatText(result) + " has " + ChangeText(metric->info, change);
}

}  // namespace pyrometer::analyze
