// SPDX-License-Identifier: Apache-2.0
#include "analyze/change_text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace pyrometer::analyze {
namespace {

// printf with a point in every locale, which this program never sets.
std::string Formatted(const char* format, double value) {
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<size_t>(length)};
}

// Three digits that count.
std::string ThreeDigits(double value) {
  const double size = std::abs(value);
  return Formatted(size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%.0f", value);
}

std::string TimeText(double ns) {
  const double size = std::abs(ns);
  if (size < 999.5e3) return ThreeDigits(ns / 1e3) + " us";
  if (size < 999.5e6) return ThreeDigits(ns / 1e6) + " ms";
  return ThreeDigits(ns / 1e9) + " s";
}

std::string BytesText(double bytes) {
  const double size = std::abs(bytes);
  if (size < 999.5) return Formatted("%.0f B", bytes);
  if (size < 999.5e3) return ThreeDigits(bytes / 1e3) + " kB";
  if (size < 999.5e6) return ThreeDigits(bytes / 1e6) + " MB";
  return ThreeDigits(bytes / 1e9) + " GB";
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

std::string AmountText(Measure measure, double amount) {
  if (amount == 0) return IsMemory(measure) ? "0 B" : "0 s";
  return IsMemory(measure) ? BytesText(amount) : TimeText(amount);
}

std::string DifferenceText(Measure measure, double difference) {
  return (difference >= 0 ? "+" : "") + AmountText(measure, difference);
}

std::string PercentText(double percent) {
  const double size = std::abs(percent);
  return Formatted(size < 99.95 ? "%+.1f %%" : "%+.0f %%", percent);
}

std::string MeasureText(Measure measure) {
  switch (measure) {
    case Measure::kWall:
      return "wall time";
    case Measure::kCpu:
      return "CPU time";
    case Measure::kPython:
      return "CPU time of the interpreter";
    case Measure::kNative:
      return "CPU time of native code";
    case Measure::kKernel:
      return "CPU time of the kernel";
    case Measure::kWait:
      return "waiting";
    case Measure::kGc:
      return "garbage collection";
    case Measure::kAwait:
      return "time of tasks that wait";
    case Measure::kMemory:
      return "memory at the peak";
    case Measure::kAllocated:
      return "memory allocated";
    case Measure::kCopied:
      return "memory copied";
  }
  return "";
}

std::string ChangeText(Measure measure, const Change& change) {
  std::string text = AmountText(measure, change.now) + " instead of " +
                     AmountText(measure, change.base) + " of " + MeasureText(measure) + ": " +
                     DifferenceText(measure, change.difference);
  if (const auto percent = change.percent()) text += " (" + PercentText(*percent) + ")";
  return text + ", 95 % interval " + DifferenceText(measure, change.low) + " to " +
         DifferenceText(measure, change.high);
}

std::string LimitText(const Diff& diff, const LimitResult& result) {
  const MeasureDiff* measure = diff.Find(result.limit.measure);
  std::string text = "limit '" + result.limit.text + "' " + result.reason;
  if (measure == nullptr || (!result.row && result.limit.what != Limit::What::kTotal)) return text;
  const Change& change = result.row ? result.row->change : measure->total;
  return text + ": " + WhatText(result) + " has " + ChangeText(result.limit.measure, change);
}

}  // namespace pyrometer::analyze
