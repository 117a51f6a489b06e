// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "analyze/build_report.h"
#include "analyze/scope.h"
#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer::cli {

// The options that `run` and `report` share: what to show, and where.
struct ReportFlags {
  analyze::Scope scope;
  bool reduced = false;
  bool all_functions = false;
  std::string json;
  std::string html;

  analyze::ReportOptions options() const { return {scope, all_functions}; }
};

// Those that say which files are the user's own code.
void AddScopeOptions(CLI::App& app, ReportFlags* flags);
void AddReportOptions(CLI::App& app, ReportFlags* flags);

// Whether the files that were asked for can be written.
base::Status CheckReportFiles(const ReportFlags& flags);

// Prints the report of `profile` to `fd` (unless `quiet`) and writes the files
// that were asked for.
base::Status ShowReport(const profile::Profile& profile, const ReportFlags& flags, int fd,
                        bool quiet);

}  // namespace pyrometer::cli
