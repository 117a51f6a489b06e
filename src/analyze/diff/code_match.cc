// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/code_match.h"

#include <unordered_map>

#include "analyze/diff/code_table.h"

namespace pyrometer::analyze {
namespace {

// Which of `now` has the same index of the table; of several, the first one.
std::vector<std::optional<uint32_t>> Matched(const std::vector<uint32_t>& base,
                                             const std::vector<uint32_t>& now) {
  std::unordered_map<uint32_t, uint32_t> first;
  for (uint32_t i = 0; i < now.size(); ++i) first.emplace(now[i], i);
  std::vector<std::optional<uint32_t>> matches(base.size());
  for (size_t i = 0; i < base.size(); ++i)
    if (const auto it = first.find(base[i]); it != first.end()) matches[i] = it->second;
  return matches;
}

}  // namespace

CodeMatch MatchCode(const CodeListing& base, const CodeListing& now) {
  CodeTable table;
  const CodeTable::Indices of_now = table.Add(now, CodeTable::Side::kNew);
  const CodeTable::Indices of_base = table.Add(base, CodeTable::Side::kBase);
  return {Matched(of_base.functions, of_now.functions), Matched(of_base.lines, of_now.lines)};
}

}  // namespace pyrometer::analyze
