// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "analyze/build_report.h"
#include "analyze/code/scope.h"
#include "base/result.h"
#include "profile/profile.h"
#include "tui/page/listing.h"

namespace pyrometer::cli {

// The options that `run` and `report` share: what to show, and where.
struct ReportFlags {
  std::string format = "text";
  analyze::Scope scope;
  bool reduced = false;
  bool all_functions = false;
  bool tree = false;
  bool flat = false;
  std::string sort;  // empty: not given
  size_t lines = 0;  // 0: not given
  double threshold = 1;
  std::vector<std::string> files;
  std::vector<std::string> functions;
  std::string json;
  std::string html;

  // `metrics`: those of what is shown.
  analyze::ReportOptions options(const metric::Table& metrics) const;
  tui::Listing ToListing(const metric::Table& metrics) const;
};

// Those that say which files are the user's own code.
void AddScopeOptions(CLI::App& app, ReportFlags* flags);
void AddReportOptions(CLI::App& app, ReportFlags* flags);

// What cannot be shown together, in one line. `metrics`, `has_time` and `has_memory`: what
// is recorded.
base::Status CheckReportFlags(const ReportFlags& flags, const metric::Table& metrics, bool has_time,
                              bool has_memory);

// Whether the files that were asked for can be written.
base::Status CheckReportFiles(const ReportFlags& flags);

// Prints the report of `profile` to `fd` (unless `quiet`) and writes the files
// that were asked for.
base::Status ShowReport(const profile::Profile& profile, const ReportFlags& flags, int fd,
                        bool quiet);

}  // namespace pyrometer::cli
