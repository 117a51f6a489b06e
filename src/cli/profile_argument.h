// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "import/core/importer.h"
#include "profile/profile.h"

namespace pyrometer::cli {

// FILE of commands that read a profile: one of ours, or of another tool.
struct ProfileArgument {
  std::string path;  // as given; empty: the last run
  std::string from;  // format of another tool; empty: by content
  std::string count_is;
};

// Adds FILE and what says how to read it.
void AddProfileArgument(CLI::App& app, ProfileArgument* argument);
// Only the latter, for commands with several files.
void AddReadingOptions(CLI::App& app, ProfileArgument* argument);

// The file that FILE means: the capture of the last run where it is empty, and that
// inside of a spool directory.
std::string ProfilePath(const std::string& given);

// Whether the file at `path` is one that can be read, by how it begins.
base::Status CheckProfile(const std::string& path, const ProfileArgument& argument);

// Reads the profile at `path` (of ProfilePath) as `argument` says. Errors name the path.
// On a terminal, long work shows how far it is.
base::Result<profile::Profile> LoadAsRecorded(const std::string& path,
                                              const ProfileArgument& argument);
// The same for whoever shows it: workers are charged to the lines that wait for them.
base::Result<profile::Profile> LoadAnyProfile(const std::string& path,
                                              const ProfileArgument& argument);

}  // namespace pyrometer::cli
