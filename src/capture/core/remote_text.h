// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpython/code_object.h"
#include "cpython/memory_reader.h"
#include "cpython/text.h"

namespace pyrometer::capture {

// A name that the program has given to something, cut at 1,024 bytes as stored,
// as UTF-8. Empty when it has no characters or cannot be read.
template <cpython::MemoryReader R>
std::optional<std::string> CopyName(const R& reader, const cpython::TextView& text) {
  constexpr size_t kMaxBytes = 1024;
  std::vector<uint8_t> raw(std::min(size_t{text.length} * text.kind, kMaxBytes));
  if (raw.empty() || !reader.Read(text.data, raw.data(), raw.size())) return std::nullopt;
  return cpython::ToUtf8(raw, text.kind);
}

}  // namespace pyrometer::capture
