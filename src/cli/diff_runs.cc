// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_runs.h"

#include <algorithm>
#include <filesystem>

namespace pyrometer::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kEnding[] = ".pyro";

}  // namespace

base::Result<DiffRuns> DiffRuns::Find(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return DiffRuns({path});
  std::vector<std::string> files;
  for (auto entry = fs::directory_iterator(path, error);
       !error && entry != fs::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == kEnding) files.push_back(entry->path());
  if (error) return base::Error{"cannot read " + path + ": " + error.message()};
  if (files.empty()) {
    // What a killed pyrometer has left is a folder, too.
    if (const std::string capture = ProfilePath(path); capture != path) return DiffRuns({capture});
    return base::Error{path + " has no recordings: no file in it ends in " + kEnding};
  }
  std::sort(files.begin(), files.end());
  return DiffRuns(std::move(files));
}

base::Result<std::vector<analyze::RunAmounts>> DiffRuns::Sum(const analyze::Scope& scope,
                                                             const ProfileArgument& reading,
                                                             metric::Table* table) const {
  std::vector<analyze::RunAmounts> runs;
  for (const std::string& file : files_) {
    const auto profile = LoadAnyProfile(file, reading);
    if (!profile.ok()) return profile.error();
    runs.push_back(analyze::SumRun(profile.value(), scope, table));
    runs.back().capture = file;
  }
  return runs;
}

}  // namespace pyrometer::cli
