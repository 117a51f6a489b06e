// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// What users write to choose files and functions.
namespace pyrometer::analyze {

// A pattern with one of * ? [ is a glob for the whole text or for what follows
// one of its slashes; any other pattern is a part of the text.
bool MatchesPattern(const std::string& pattern, const std::string& text);

bool MatchesAnyPattern(const std::vector<std::string>& patterns, const std::string& text);

}  // namespace pyrometer::analyze
