// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "format/records.h"
#include "transport/records.h"

namespace pyrometer::capture {

// The stack of a thread's newest sample, root first, with the id of each prefix.
struct ThreadStack {
  std::vector<transport::StackFrame> frames;
  std::vector<format::StackId> path;

  format::StackId leaf() const { return path.empty() ? format::kEmptyStack : path.back(); }
};

}  // namespace pyrometer::capture
