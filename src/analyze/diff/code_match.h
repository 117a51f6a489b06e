// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/diff/code_listing.h"

namespace pyrometer::analyze {

// For each function and line of `base` its index in `now`, as far as it is there.
struct CodeMatch {
  std::vector<std::optional<uint32_t>> functions{};
  std::vector<std::optional<uint32_t>> lines{};
};

// By the rules of CodeTable, so that all comparisons of two recordings agree.
CodeMatch MatchCode(const CodeListing& base, const CodeListing& now);

}  // namespace pyrometer::analyze
