// SPDX-License-Identifier: Apache-2.0
// The text of a perf map file, read at once and in pieces: both must know the same, and keep
// within their bounds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "capture/stacks/perf_map.h"

namespace {

using pyrometer::capture::PerfMapText;

// Addresses at which the two could differ: every number of the text, as far as it is one.
template <class Visit>
void ForEachNumber(std::string_view text, Visit visit) {
  uint64_t number = 0;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit >= 0) {
      number = number << 4 | static_cast<uint64_t>(digit);
      continue;
    }
    visit(number);
    number = 0;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t piece = data[0] + size_t{1};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  PerfMapText whole, pieces;
  whole.Add(text);
  for (size_t at = 0; at < text.size(); at += piece) pieces.Add(text.substr(at, piece));
  if (whole.size() != pieces.size() || whole.size() > PerfMapText::kMaxEntries) std::abort();
  ForEachNumber(text, [&](uint64_t pc) {
    const std::string* name = whole.Find(pc);
    const std::string* same = pieces.Find(pc);
    if ((name == nullptr) != (same == nullptr)) std::abort();
    if (name == nullptr) return;
    if (*name != *same || name->empty() || name->size() > PerfMapText::kMaxNameBytes) std::abort();
  });
  return 0;
}
