// SPDX-License-Identifier: Apache-2.0
#include "agent/environment.h"

#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string_view>

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
  constexpr std::string_view kSaved = base::kPreloadVariable;
  constexpr size_t kPrefix = kSaved.size() - kPreload.size();
  static_assert(kSaved.substr(kPrefix) == kPreload);
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (IsVariable(*entry, kSaved)) user_preload = *entry + kPrefix;
  char** out = environ;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (IsVariable(*entry, kSaved)) continue;
    if (IsVariable(*entry, base::kRecordVariable)) {
      record = *entry;
      continue;
    }
    if (IsVariable(*entry, kPreload)) {
      if (user_preload != nullptr) *out++ = user_preload;
      continue;
    }
    *out++ = *entry;
  }
  *out = nullptr;
  return record;
}

}  // namespace pyrometer::agent
