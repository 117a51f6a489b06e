// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pyrometer::cli {

// A folder in which the recording of a run without -o can be kept.
struct LastRunFolder {
  std::string path;
  // Beside those of other users: it counts only when it is ours alone.
  bool shared = false;

  std::string file() const { return path + "/last.pyro"; }
  // Makes the folder where it is missing. An Error when nothing of ours may be kept there.
  base::Status Prepare() const;
};

// The folders, in the order in which they are tried: the user's state folder, and one among the
// temporary files for users without a home (containers, system services).
std::vector<LastRunFolder> LastRunFolders();

// The file of the last run without -o: the newest one, or where the next one would be.
std::string LastRunPath();

}  // namespace pyrometer::cli
