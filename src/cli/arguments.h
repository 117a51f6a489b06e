// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "metric/table.h"

namespace pyrometer::cli {

// Sets the usage line that `app`'s help starts with.
void SetUsage(CLI::App& app, const std::string& usage);

// Parses `args` with `app`. A value means: stop now with this exit code (help
// was printed, or one line says what is wrong).
std::optional<int> Parse(CLI::App& app, std::vector<std::string> args);

// Splits `args` at the program to run: the first word that is not an option of
// `app`, or `-m`, `-c`, or what follows `--`. Options come back, `program`
// gets the rest.
std::vector<std::string> SplitAtProgram(const CLI::App& app, const std::vector<std::string>& args,
                                        std::vector<std::string>* program);

// The metric that `option` names, by its name or an earlier one.
base::Result<metric::Metric> FindMetric(std::string_view option, std::string_view name,
                                        const metric::Table& table, metric::Use use);

// The names of the rows of a table, for an option that takes one of them.
template <class Table>
std::vector<std::string> NamesOf(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace pyrometer::cli
