// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "metric/metric.h"

namespace pyrometer::tui {

// What of a report is listed, and in which order. Totals are always those of the
// whole program.
struct Listing {
  enum class Shape {
    kFiles,  // a table for each file
    kFlat,   // the lines of all files, ranked
    kTree,   // who calls whom; REQUIRES: the report has a call tree
  };
  Shape shape = Shape::kFiles;
  std::optional<metric::Metric> sort = {};  // empty: time, or memory where there is no time
  std::optional<size_t> max_lines = {};
  double threshold_percent = 1;             // what has less is not listed by itself
  std::vector<std::string> files = {};      // patterns; empty: all
  std::vector<std::string> functions = {};  // patterns; empty: all
  bool reduced = false;                     // no lines around those that matter

  bool restricted() const { return !files.empty() || !functions.empty(); }
  bool HasFile(const std::string& path) const;
  bool HasFunction(const std::string& name) const;
  bool Has(const std::string& path, const std::string& function) const {
    return HasFile(path) && HasFunction(function);
  }
};

}  // namespace pyrometer::tui
