// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace pyrometer::cli {

// The word nearest to `word` by edit distance, or "" when none is near enough
// to be what was meant.
std::string NearestWord(const std::string& word, const std::vector<std::string>& words);

}  // namespace pyrometer::cli
