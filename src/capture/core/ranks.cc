// SPDX-License-Identifier: Apache-2.0
#include "capture/core/ranks.h"

#include <charconv>
#include <string_view>

#include "metric/counter.h"

namespace pyrometer::capture {

std::vector<std::pair<std::string, uint64_t>> FindRanks(
    const std::vector<std::string>& environment) {
  std::vector<std::pair<std::string, uint64_t>> ranks;
  for (const std::string& entry : environment) {
    for (const std::string_view name : metric::kRankVariables) {
      if (!entry.starts_with(name) || entry.size() <= name.size() || entry[name.size()] != '=')
        continue;
      const char* begin = entry.data() + name.size() + 1;
      const char* end = entry.data() + entry.size();
      uint32_t rank = 0;
      if (const auto [at, error] = std::from_chars(begin, end, rank);
          error == std::errc() && at == end)
        ranks.emplace_back(name, rank);
    }
  }
  return ranks;
}

}  // namespace pyrometer::capture
