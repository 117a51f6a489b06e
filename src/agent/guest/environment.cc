// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/environment.h"

#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string_view>

#include "agent/guest/environment_block.h"
#include "base/record_options.h"

namespace pyrometer::agent {
namespace {

constexpr std::string_view kPreload = "LD_PRELOAD";

bool IsVariable(const char* entry, std::string_view name) {
  return std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=';
}

}  // namespace

// Works on the array itself: no allocation, and the order of what stays is the
// order that the program would have seen.
char* HideFromEnvironment() {
  char* record = nullptr;
  char* user_preload = nullptr;  // "PYROMETER_LD_PRELOAD=..." turned into "LD_PRELOAD=..."
  const char* ours[3] = {};      // as the process was started with them
  constexpr std::string_view kSaved = base::kPreloadVariable;
  constexpr size_t kPrefix = kSaved.size() - kPreload.size();
  static_assert(kSaved.substr(kPrefix) == kPreload);
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (IsVariable(*entry, kSaved)) {
      user_preload = *entry + kPrefix;
      ours[0] = *entry;
    }
  char** out = environ;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (IsVariable(*entry, kSaved)) continue;
    if (IsVariable(*entry, base::kRecordVariable)) {
      record = *entry;
      ours[1] = record;
      continue;
    }
    if (IsVariable(*entry, kPreload)) {
      ours[2] = *entry;
      if (user_preload != nullptr) *out++ = user_preload;
      continue;
    }
    *out++ = *entry;
  }
  *out = nullptr;
  CutEnvironmentBlock(ours);
  return record;
}

}  // namespace pyrometer::agent
