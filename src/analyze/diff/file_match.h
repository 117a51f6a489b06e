// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyze/diff/code_listing.h"

namespace pyrometer::analyze {

// Which of `known` each of `files` is, one to one: by path, else by the name of the file and as
// many of the folders above it as agree, else by the text.
std::vector<std::optional<uint32_t>> MatchFiles(std::span<const CodeListing::File> known,
                                                std::span<const CodeListing::File> files);

}  // namespace pyrometer::analyze
