// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "capture/stacks/code_cache.h"
#include "cpython/code_object.h"

namespace pyrometer::capture {

template <cpython::MemoryReader R>
std::optional<format::FrameId> CodeCache::FrameOf(const R& reader, uint64_t address,
                                                  uint32_t instruction) {
  Code* const code = Find(reader, address);
  return code == nullptr ? std::nullopt : std::optional(Frame(*code, instruction));
}

template <cpython::MemoryReader R>
std::optional<format::CodeId> CodeCache::CodeOf(const R& reader, uint64_t address) {
  const Code* const code = Find(reader, address);
  return code == nullptr ? std::nullopt : std::optional(code->id);
}

template <cpython::MemoryReader R>
CodeCache::Code* CodeCache::Find(const R& reader, uint64_t address) {
  cpython::CodeHead head;
  if (!cpython::ReadCodeHead(layout_, reader, address, &head)) return nullptr;
  const Identity identity{address, head.Identity()};
  const auto known = codes_.find(identity);
  if (known != codes_.end()) return &known->second;
  cpython::TextView filename, qualname;
  cpython::BytesView lines;
  if (!cpython::ReadText(layout_, reader, head.filename, &filename) ||
      !cpython::ReadText(layout_, reader, head.qualname, &qualname) ||
      !cpython::ReadBytes(layout_, reader, head.line_table, &lines))
    return nullptr;
  constexpr size_t kMaxText = 4096, kMaxLines = 256 * 1024;
  const auto copy = [&](uint64_t data, size_t bytes) {
    std::vector<uint8_t> out(bytes);
    if (!out.empty() && !reader.Read(data, out.data(), out.size())) out.clear();
    return out;
  };
  const auto text = [&](const cpython::TextView& view) {
    return copy(view.data, std::min<size_t>(size_t{view.length} * view.kind, kMaxText));
  };
  return &Add(identity, text(filename), filename.kind, text(qualname), qualname.kind,
              copy(lines.data, std::min<size_t>(lines.size, kMaxLines)), head.first_line);
}

}  // namespace pyrometer::capture
