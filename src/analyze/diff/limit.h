// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/diff/diff.h"
#include "base/result.h"
#include "metric/metric.h"

namespace pyrometer::analyze {

// How much more something may have than before, as in `cpu:total>5%`:
//
//   limit = what ">" amount
//   what  = MEASURE ":" ("total" | "peak")
//         | "function:" NAME " " MEASURE
//         | "line:" FILE ":" NUMBER " " MEASURE
//   amount = NUMBER ("%" | "s" | "ms" | "us" | "kB" | "MB" | "GB" | "B")
//
// Percent are of what the whole program had. NAME is a qualified name or the end of
// one, FILE a path or the end of one, NUMBER that of the line as it is now.
struct Limit {
  enum class What { kTotal, kFunction, kLine };

  std::string text{};  // as given
  What what = What::kTotal;
  metric::Metric metric = metric::Metric::kCpu;
  std::string name{};  // of the function, or of the file
  uint32_t line = 0;
  double amount = 0;  // percent, ns or bytes
  bool percent = false;
};

base::Result<Limit> ParseLimit(std::string_view text, const metric::Table& table);

// What a limit says about a diff.
struct LimitResult {
  Limit limit{};
  bool exceeded = false;         // by more than chance
  std::string reason{};          // one sentence, of plain text that is not trusted
  std::optional<DiffRow> row{};  // that it is about; none for totals, or nothing there
};

// A limit is exceeded where the difference is beyond it, and a difference of that
// sign is no accident at 5 % for all limits together.
std::vector<LimitResult> CheckLimits(const Diff& diff, std::span<const Limit> limits);

}  // namespace pyrometer::analyze
