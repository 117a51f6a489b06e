// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>

#include "os/executable_maps.h"
#include "os/read_file.h"

namespace pyrometer::os {
namespace {

constexpr size_t kMaxMapsBytes = 16u << 20;

bool TakeHex(std::string_view& text, char after, uint64_t* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number, 16);
  const auto digits = static_cast<size_t>(end - text.data());
  if (error != std::errc() || digits >= text.size() || text[digits] != after) return false;
  text.remove_prefix(digits + 1);
  return true;
}

// JITs map anonymous memory, or the same pages twice through a file without a name.
bool IsGenerated(std::string_view path) {
  return path.empty() || path.starts_with("[anon") || path.starts_with("/memfd:") ||
         path.starts_with("//anon") || path == "[heap]" || path == "[stack]" ||
         path.starts_with("/dev/zero") || path.ends_with(" (deleted)");
}

}  // namespace

std::vector<ExecutableMap> ParseExecutableMaps(std::string_view text) {
  std::vector<ExecutableMap> maps;
  std::map<std::string, uint64_t, std::less<>> bases;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ExecutableMap map;
    uint64_t offset = 0;
    if (!TakeHex(line, '-', &map.start) || !TakeHex(line, ' ', &map.end) || line.size() < 5)
      continue;
    const bool executable = line[2] == 'x';
    line.remove_prefix(5);
    if (!TakeHex(line, ' ', &offset)) continue;
    // Device and inode, then blanks and the path.
    for (int field = 0; field < 2; ++field)
      line.remove_prefix(std::min(line.find(' '), line.size() - 1) + 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const bool generated = IsGenerated(line);
    if (!generated && offset == 0) bases.try_emplace(std::string(line), map.start);
    if (!executable || (!generated && !line.starts_with('/'))) continue;
    map.generated = generated;
    map.path = line;
    if (const auto base = bases.find(line); base != bases.end()) map.base = base->second;
    maps.push_back(std::move(map));
  }
  return maps;
}

std::vector<ExecutableMap> ReadExecutableMaps(pid_t pid) {
  const auto text = ReadFile("/proc/" + std::to_string(pid) + "/maps", kMaxMapsBytes);
  return text ? ParseExecutableMaps(*text) : std::vector<ExecutableMap>();
}

}  // namespace pyrometer::os
