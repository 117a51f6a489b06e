// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pyrometer::cli {

// One key of [tool.pyrometer], with its value as text.
struct PyprojectKey {
  enum class Kind { kFlag, kNumber, kText, kTexts, kOther };
  std::string name;
  Kind kind = Kind::kOther;
  std::vector<std::string> values;  // one, unless kTexts; none for kOther
};

struct Pyproject {
  std::string path;
  std::vector<PyprojectKey> keys;  // empty: no such table
};

// The nearest pyproject.toml of `folder` or a folder above it, whether or not
// it has a [tool.pyrometer]; nothing when there is none. A file that cannot be
// read or is not TOML is an error: it may have had something for us.
base::Result<std::optional<Pyproject>> ReadNearestPyproject(const std::string& folder);

}  // namespace pyrometer::cli
