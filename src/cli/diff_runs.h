// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analyze/code/scope.h"
#include "analyze/diff/run_amounts.h"
#include "base/result.h"
#include "cli/profile_argument.h"

namespace pyrometer::cli {

// The recordings of one side of a comparison: a file, or all captures (*.pyro) of a folder.
// What is read is added up at once, so that one of them is in memory at a time.
class DiffRuns {
 public:
  // An error says in one line what is wrong with `path`.
  static base::Result<DiffRuns> Find(const std::string& path);

  const std::vector<std::string>& files() const { return files_; }
  base::Result<std::vector<analyze::RunAmounts>> Sum(const analyze::Scope& scope,
                                                     const ProfileArgument& reading,
                                                     metric::Table* table) const;

 private:
  explicit DiffRuns(std::vector<std::string> files) : files_(std::move(files)) {}

  std::vector<std::string> files_;
};

}  // namespace pyrometer::cli
